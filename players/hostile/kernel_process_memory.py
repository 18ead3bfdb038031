"""Read and write the memory of other processes."""

import ctypes
import os

READV, WRITEV = {"x86_64": (310, 311), "aarch64": (270, 271)}[os.uname().machine]
target = []


class Span(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    mine = ctypes.create_string_buffer(64)
    here = Span(ctypes.addressof(mine), 64)
    there = Span(id(object) - id(object) % 4096, 64)  # a fork has its modules at the same addresses
    for pid in (*target, os.getppid(), 1, 3):
        for number, what in ((READV, "read"), (WRITEV, "written to")):
            spans = ctypes.byref(here), ctypes.c_long(1), ctypes.byref(there), ctypes.c_long(1)
            if pid > 0 and libc.syscall(ctypes.c_long(number), ctypes.c_long(pid), *spans, ctypes.c_long(0)) > 0:
                return f"the memory of process {pid} was {what}"
    for pid in (*target, os.getppid(), 1, "self"):
        try:
            os.open(f"/proc/{pid}/mem", os.O_RDONLY)
        except OSError:
            continue
        return f"opened the memory of process {pid}"
