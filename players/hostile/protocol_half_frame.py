"""Send half an answer, and wait."""

import os
import struct
import time


def attack():
    os.write(4, struct.pack("<IIB", 1000, 0, 0) + bytes(500))
    while True:
        time.sleep(60)
