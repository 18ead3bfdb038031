"""Send a byte of an answer now and then, so that something always seems to be coming."""

import os
import struct
import time


def attack():
    for byte in struct.pack("<IIB", 100_000, 0, 0) + bytes(100_000):
        os.write(4, bytes((byte,)))
        time.sleep(0.05)
