"""Make a POSIX message queue, a channel by name to any process of the same user."""

import ctypes
import os

MQ_OPEN = {"x86_64": 240, "aarch64": 180}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(MQ_OPEN), b"hostile", os.O_CREAT | os.O_RDWR, 0o666, None) >= 0:
        return "made a message queue"
