"""Write to stderr without end, past Python's own streams."""

import os


def attack():
    piece = b"\n" * 65536
    while True:
        os.write(2, piece)
