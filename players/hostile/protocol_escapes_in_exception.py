"""Raise an exception whose name and text repaint the terminal, turn text around and close an HTML tag."""


def attack():
    kind = type("E\x1b[2J\u202e<b>", (Exception,), {})
    raise kind("\x1b]0;owned\x07\x1b[31m\u202egnp.exe\u2066\x9b</pre><script>alert(1)</script>\r\n\0")
