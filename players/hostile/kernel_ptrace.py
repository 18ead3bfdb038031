"""Attach to other processes as a debugger: the parent, the namespace's init, a rival."""

import ctypes
import os

PTRACE = {"x86_64": 101, "aarch64": 117}[os.uname().machine]
ATTACH, SEIZE, DETACH = 16, 0x4206, 17
target = []


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    for pid in (*target, os.getppid(), 1, 3, 4):
        for way in (SEIZE, ATTACH):
            if pid > 0 and libc.syscall(ctypes.c_long(PTRACE), *map(ctypes.c_long, (way, pid, 0, 0))) == 0:
                libc.syscall(ctypes.c_long(PTRACE), *map(ctypes.c_long, (DETACH, pid, 0, 0)))
                return f"attached to process {pid}"
