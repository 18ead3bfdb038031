"""Make segments of its own: old, rarely used, and often broken code in the kernel."""

import ctypes
import os
import struct


def attack():
    if os.uname().machine != "x86_64":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    segment = struct.pack("<4I", 0, 0, 0xFFFFF, 0b1010001)
    if libc.syscall(ctypes.c_long(154), 1, segment, ctypes.c_long(16)) == 0:
        return "made a segment"
    if libc.syscall(ctypes.c_long(154), 0, ctypes.create_string_buffer(64), ctypes.c_long(64)) >= 0:
        return "read the table of segments"
