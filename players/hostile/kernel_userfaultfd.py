"""Answer page faults itself, which stops the kernel in the middle of a copy: half of many exploits."""

import ctypes
import os

USERFAULTFD, USER_MODE_ONLY = {"x86_64": 323, "aarch64": 282}[os.uname().machine], 1


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for flags in (USER_MODE_ONLY, 0, USER_MODE_ONLY | os.O_NONBLOCK):
        if libc.syscall(ctypes.c_long(USERFAULTFD), flags) >= 0:
            return "handles its own page faults"
