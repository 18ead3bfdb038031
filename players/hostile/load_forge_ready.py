"""Claims, over the pipe, that it is loaded, and goes on computing where no budget of a turn counts."""

import os
import struct

READY = 4
METHODS = b"\x91\xa9take_turn"  # ["take_turn"] in msgpack
os.write(4, struct.pack("<IIB", len(METHODS), 0, READY) + METHODS)
while True:
    pass
