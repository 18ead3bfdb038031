"""While it is loaded, say in the box's name that it is ready, in bytes that are no text."""

import os
import struct
import time

READY = 4
methods = b"\x91\xa2\xff\xfe"
os.write(4, struct.pack("<IIB", len(methods), 0, READY) + methods)
time.sleep(0.2)


def attack():
    pass
