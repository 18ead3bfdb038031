"""Use the old shared memory, queues and semaphores, which belong to no process and outlive it."""

import ctypes
import os

SHMGET, SEMGET, MSGGET = {"x86_64": (29, 64, 68), "aarch64": (194, 190, 186)}[os.uname().machine]
CREATE = 0o1666


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    key = ctypes.c_long(0x1051)
    if libc.syscall(ctypes.c_long(SHMGET), key, ctypes.c_long(1 << 20), CREATE) >= 0:
        return "made shared memory"
    if libc.syscall(ctypes.c_long(MSGGET), key, CREATE) >= 0:
        return "made a queue"
    if libc.syscall(ctypes.c_long(SEMGET), key, 1, CREATE) >= 0:
        return "made a semaphore"
