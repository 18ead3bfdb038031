"""Names that spoil a listing: newlines, escapes, marks that turn text around, bytes that are no text."""

import os

NAMES = (b"a\nb", b"\x1b]0;owned\x07", "\u202egnp.exe".encode(), b"\xff\xfe", b"-rf", b" ", b"x" * 255, b"<script>")


def attack():
    for name in NAMES:
        try:
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
        except OSError:
            pass
    try:
        print(os.listdir(b"."), os.listdir("."))
    except OSError:
        pass
