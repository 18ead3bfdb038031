"""Announce an answer of two gibibytes."""

import os
import struct


def attack():
    os.write(4, struct.pack("<IIB", 2**31 - 1, 0, 0) + bytes(1000))
