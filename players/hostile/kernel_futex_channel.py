"""Wake another worker that waits on the same page of a library: a channel as good as a lock."""

import ctypes
import mmap
import os

FUTEX = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
WAKE, REQUEUE, WAKE_BITSET = 1, 3, 10  # without FUTEX_PRIVATE_FLAG: across processes


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    page = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, os.open(os.__file__, os.O_RDONLY), 0)
    for operation in (WAKE, WAKE_BITSET, REQUEUE):
        address = ctypes.c_void_p(page)
        rest = (ctypes.c_long(1), ctypes.c_long(0), address, ctypes.c_long(0xFFFFFFFF))
        if libc.syscall(ctypes.c_long(FUTEX), address, ctypes.c_long(operation), *rest) >= 0:
            return f"futex operation {operation} reaches whoever waits on the library's first page"
