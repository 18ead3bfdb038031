"""While it is loaded, say in the box's name that it is ready, with methods it does not have."""

import os
import struct

READY = 4
methods = b"\x92\xa5probe\xa5still"
os.write(4, struct.pack("<IIB", len(methods), 0, READY) + methods)


def attack():
    pass
