"""Put on Landlock rules and filters of its own, to break what the referee's code does in its process."""

import ctypes
import os
import struct

SECCOMP = {"x86_64": 317, "aarch64": 277}[os.uname().machine]
SET_MODE_FILTER, USER_NOTIF = 1, 8
LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    rules = libc.syscall(ctypes.c_long(LANDLOCK_CREATE), struct.pack("<Q", 1), ctypes.c_long(8), 0)
    if rules >= 0:
        return "made rules of its own"
    allow_all = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000), 8)
    program = struct.pack("<HxxxxxxQ", 1, ctypes.addressof(allow_all))
    for flags in (0, USER_NOTIF):
        if libc.syscall(ctypes.c_long(SECCOMP), SET_MODE_FILTER, flags, program) >= 0:
            return "put on a filter of its own"
