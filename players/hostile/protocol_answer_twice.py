"""Answer, and then answer again."""

import os
import struct
import sys


def forge(payload, kind=0):
    """Answer by hand, with the question's own number, found in the frames of the code that asked."""
    frame = sys._getframe()
    while "sequence" not in frame.f_locals:
        frame = frame.f_back
    os.write(4, struct.pack("<IIB", len(payload), frame.f_locals["sequence"], kind) + payload)


def attack():
    forge(b"\xc0")
    forge(b"\xa5again")
