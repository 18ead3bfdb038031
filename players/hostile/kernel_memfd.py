"""Make a file that lies in no directory and under no limit of scratch."""

import ctypes
import os

MEMFD_CREATE, MEMFD_SECRET = {"x86_64": 319, "aarch64": 279}[os.uname().machine], 447


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for flags in (0, 1, 2, 8, 0x10):
        if libc.syscall(ctypes.c_long(MEMFD_CREATE), b"mine", flags) >= 0:
            return "made a file in memory"
    if libc.syscall(ctypes.c_long(MEMFD_SECRET), 0) >= 0:
        return "made a secret file in memory"
