"""Be traced by its parent, which then hears of every signal and must answer for it."""

import ctypes
import os

PTRACE = {"x86_64": 101, "aarch64": 117}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(PTRACE), *[ctypes.c_long(0)] * 4) == 0:
        return "its parent traces it"
