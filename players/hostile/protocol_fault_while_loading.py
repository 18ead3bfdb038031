"""While it is loaded, report that the machine is at fault, so that the match is called off."""

import os
import struct

FAULT = 5
why = b"\x93\xa7seccomp\x01\xa7missing"
os.write(4, struct.pack("<IIB", len(why), 0, FAULT) + why)


def attack():
    pass
