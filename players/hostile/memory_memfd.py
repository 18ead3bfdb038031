"""Keeps memory in files that have no name."""

import os

PIECE = 8 << 20  # below the limit on a file's size
PIECES = 20


def attack():
    held = []
    try:
        for number in range(PIECES):
            held.append(os.memfd_create(str(number)))
            os.write(held[-1], bytes(PIECE))
    except OSError:
        pass
    return f"held {len(held) * PIECE:,} bytes in files without a name" if len(held) == PIECES else None
