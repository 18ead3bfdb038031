"""Decide where on the machine memory comes from, its own and others'."""

import ctypes
import os

SET_MEMPOLICY, MIGRATE_PAGES = {"x86_64": (238, 256), "aarch64": (237, 238)}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    nodes = ctypes.c_ulong(1)
    if libc.syscall(ctypes.c_long(SET_MEMPOLICY), 2, ctypes.byref(nodes), ctypes.c_long(64)) == 0:
        return "bound its memory to a node"
    both = ctypes.byref(nodes), ctypes.byref(nodes)
    if libc.syscall(ctypes.c_long(MIGRATE_PAGES), os.getpid(), ctypes.c_long(64), *both) >= 0:
        return "moved its pages"
