"""Maps one page and has it grow."""

import ctypes
import mmap

SIZE = 300 << 20
MREMAP_MAYMOVE = 1


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
    at = libc.mmap(None, 4096, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    grown = libc.mremap(at, 4096, SIZE, MREMAP_MAYMOVE)
    if grown == ctypes.c_void_p(-1).value:
        return None
    ctypes.memset(grown, 1, SIZE)
    return f"held {SIZE >> 20} MiB"
