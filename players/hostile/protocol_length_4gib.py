"""Announce the longest answer that can be announced, for a reader that counts with a sign."""

import os
import struct


def attack():
    os.write(4, struct.pack("<IIB", 2**32 - 1, 2**32 - 1, 255))
