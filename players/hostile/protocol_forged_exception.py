"""Report an exception that is none, so that reading the report fails."""

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


RAISED = 1
target = 0
REPORTS = [
    b"\xc1",
    b"\x83\xa4type\xa1\xff\xa4text\xa1\xff\xa6frames\x90",  # no text
    b"\x83\xa4type\xa1a\xa4text\xa1b\xa6frames\xdd\xff\xff\xff\xff",
    b"\x84\xa4type\xa1a\xa4text\xa1b\xa6frames\x90\xa4more" + b"\x91" * 200_000 + b"\xc0",
    b"\x83\xa4type\xa1a\xa4text\xc0\xa6frames\x90",
]


def attack():
    forge(REPORTS[target], RAISED)
    time.sleep(60)  # or the box's own answer would come after it
