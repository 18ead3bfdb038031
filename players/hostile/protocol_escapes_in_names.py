"""Raise from a function and a file whose names are escapes."""


def attack():
    code = compile("def raiser(): raise ValueError('from nowhere')\n", "/etc/\x1b[31m\u202ewssap", "exec")
    made = {}
    exec(code, made)
    raiser = made["raiser"]
    raiser.__code__ = raiser.__code__.replace(co_name="\x1b[2J\u202ename\n")
    raiser()
