"""Locks memory, so that the machine cannot move it."""

import ctypes
import platform

MLOCK, MLOCKALL, MLOCK2 = {"x86_64": (149, 151, 325), "aarch64": (228, 230, 284)}[platform.machine()]
SIZE = 16 << 20


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    block = ctypes.create_string_buffer(SIZE)
    if syscall(MLOCK, block, ctypes.c_size_t(SIZE)) == 0 or syscall(MLOCK2, block, ctypes.c_size_t(SIZE), 0) == 0:
        return f"locked {SIZE:,} bytes"
    return "locked everything" if syscall(MLOCKALL, 2) == 0 else None  # MCL_FUTURE
