"""Print what repaints the terminal, turns text around, or is no text."""

import os
import sys


def attack():
    print("\x1b]0;owned\x07\x1b[31mred\u202egnp.exe\u2028<script>alert(1)</script>\x9b2J\0\r")
    print("\ud800", file=sys.stderr)
    os.write(1, b"\xff\xfe\x80\x1bc")
