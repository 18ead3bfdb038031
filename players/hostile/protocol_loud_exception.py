"""Report an exception with a megabyte of text, escapes and frames without end."""

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


def attack():
    frame = b"\x94\xa6\x1b[31m!\xcf" + b"\xff" * 8 + b"\xa4\xe2\x80\xaeX\xa3..\x2f"
    text = b"\x1b]0;owned\x07" * 50_000
    report = b"\x83\xa4type\xa3E\x1b!\xa4text\xdb" + struct.pack(">I", len(text)) + text
    forge(report + b"\xa6frames\xdc" + struct.pack(">H", 15_000) + frame * 15_000, RAISED)
    time.sleep(60)  # or the box's own answer would come after it
