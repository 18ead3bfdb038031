"""Write to a library through shared memory: map it to read, then ask for more."""

import ctypes
import os

PROT_READ, PROT_WRITE, MAP_SHARED, MAP_SHARED_VALIDATE = 1, 2, 1, 3


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    failed = ctypes.c_void_p(-1).value
    for flags in (os.O_RDWR, os.O_RDONLY, os.O_WRONLY):
        try:
            descriptor = os.open(os.__file__, flags)
        except OSError:
            continue
        for sharing in (MAP_SHARED, MAP_SHARED_VALIDATE):
            if libc.mmap(None, 4096, PROT_READ | PROT_WRITE, sharing, descriptor, 0) != failed:
                return "mapped the library to write"
            address = libc.mmap(None, 4096, PROT_READ, sharing, descriptor, 0)
            if address != failed and libc.mprotect(address, 4096, PROT_READ | PROT_WRITE) == 0:
                return "made a mapping of the library writable"
