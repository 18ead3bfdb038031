"""Send the largest answer one byte at a time: each wakes the referee."""

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
    write, parts = os.write, []
    os.write = lambda descriptor, data: parts.append(data)
    forge(b"\xc6" + struct.pack(">I", 1024 * 1024 - 5) + bytes(1024 * 1024 - 5))
    os.write = write
    for number in range(len(parts[0])):
        write(4, parts[0][number : number + 1])
