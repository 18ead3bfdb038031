"""Reads a rival's CPU clock, to learn how long it thinks."""

import ctypes
import platform
import time

target = []  # process ids
GETTIME = {"x86_64": 228, "aarch64": 113}[platform.machine()]


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    for pid in target:
        clock = (~pid << 3) | 2
        try:
            return f"read {time.clock_gettime(clock)} s off the clock of {pid}"
        except OSError:
            pass
        spent = (ctypes.c_long * 2)()
        if syscall(GETTIME, ctypes.c_int(clock), spent) == 0:
            return f"read {spent[0]} s off the clock of {pid}"
        for path in (f"/proc/{pid}/schedstat", f"/proc/{pid}/stat"):
            try:
                with open(path) as file:
                    return f"read {file.read(40)!r}"
            except OSError:
                pass
    return None
