"""Claims, over the pipe, that it is loaded and defines nothing."""

import os
import struct
import time

READY = 4
os.write(4, struct.pack("<IIB", 1, 0, READY) + b"\x90")  # [] in msgpack
time.sleep(3600)
