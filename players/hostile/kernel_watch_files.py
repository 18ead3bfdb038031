"""Watch what others do with the libraries: which one a rival imports, and when."""

import ctypes
import os

FANOTIFY_INIT = {"x86_64": 300, "aarch64": 262}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(0)
    if watch >= 0 and libc.inotify_add_watch(watch, os.path.dirname(os.__file__).encode(), 0xFFF) >= 0:
        return "watches the library"
    if libc.syscall(ctypes.c_long(FANOTIFY_INIT), 0x200, 0) >= 0:
        return "watches file systems"
