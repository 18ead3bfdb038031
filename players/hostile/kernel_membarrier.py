"""Interrupt every core of the machine, again and again."""

import ctypes
import os

MEMBARRIER, GLOBAL, GLOBAL_EXPEDITED = {"x86_64": 324, "aarch64": 283}[os.uname().machine], 1, 2


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for command in (GLOBAL_EXPEDITED, GLOBAL):
        if libc.syscall(ctypes.c_long(MEMBARRIER), command, 0, 0) == 0:
            return "interrupted every core"
