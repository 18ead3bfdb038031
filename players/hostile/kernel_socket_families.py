"""Make a socket of any family at all: each is a large piece of kernel to attack."""

import ctypes
import os

SOCKET, SOCKETPAIR = {"x86_64": (41, 53), "aarch64": (198, 199)}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    pair = (ctypes.c_int * 2)()
    for family in range(48):
        for kind in range(1, 7):
            if libc.syscall(ctypes.c_long(SOCKET), family, kind, 0) >= 0:
                return f"made a socket of family {family}, kind {kind}"
            if libc.syscall(ctypes.c_long(SOCKETPAIR), family, kind, 0, pair) == 0:
                return f"made a pair of family {family}, kind {kind}"
