"""Make the machine write out its disks, over and over, so that everybody waits."""

import ctypes
import os

SYNC, SYNCFS, SYNC_FILE_RANGE = {"x86_64": (162, 306, 277), "aarch64": (81, 267, 84)}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    library = os.open(os.__file__, os.O_RDONLY)
    if libc.syscall(ctypes.c_long(SYNC)) == 0:
        return "sync() was done"
    if libc.syscall(ctypes.c_long(SYNCFS), library) == 0:
        return "the library's file system was synced"
    if libc.syscall(ctypes.c_long(SYNC_FILE_RANGE), library, *[ctypes.c_long(0)] * 2, 7) == 0:
        return "a range was synced"
