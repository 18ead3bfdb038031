"""Writes its answer to the pipe by hand, then computes on in the rivals' turn."""

import os
import struct
import sys


def attack():
    frame = sys._getframe()
    while "sequence" not in frame.f_locals:
        frame = frame.f_back
    nothing = b"\xc0"  # None, in msgpack
    os.write(4, struct.pack("<IIB", len(nothing), frame.f_locals["sequence"], 0) + nothing)
    while True:
        pass
