"""Claims, over the pipe, that a layer of the box could not be put on, which would be the machine's fault."""

import os
import struct

FAULT = 5
WORDS = b"PermissionError: landlock: Operation not permitted"
os.write(4, struct.pack("<IIB", len(WORDS), 0, FAULT) + WORDS)


def take_turn(view):
    return None
