"""Become root in a user namespace of its own, which opens most of the kernel to it."""

import ctypes
import os
import signal

CLONE, UNSHARE, CLONE3 = {"x86_64": (56, 272, 435), "aarch64": (220, 97, 435)}[os.uname().machine]
NEWUSER = 0x10000000


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for more in (0, 0x20000, 0x40000000):
        if libc.syscall(ctypes.c_long(UNSHARE), ctypes.c_long(NEWUSER | more)) == 0:
            return f"is in a user namespace of its own, as {os.getuid()}"
    arguments = ctypes.create_string_buffer(NEWUSER.to_bytes(8, "little") + bytes(24) + bytes((signal.SIGCHLD,)), 88)
    calls = (
        lambda: libc.syscall(ctypes.c_long(CLONE), *map(ctypes.c_long, (NEWUSER | signal.SIGCHLD, 0, 0, 0, 0))),
        lambda: libc.syscall(ctypes.c_long(CLONE3), arguments, ctypes.c_long(88)),
    )
    for call in calls:
        child = call()
        if child == 0:
            os._exit(0)
        if child > 0:
            os.waitpid(child, 0)
            return "has a child in a user namespace of its own"
