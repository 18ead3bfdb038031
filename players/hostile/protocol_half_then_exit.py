"""Send half an answer, and end."""

import os
import struct


def attack():
    os.write(4, struct.pack("<IIB", 100, 0, 0) + bytes(50))
    os._exit(0)
