"""Fills memory and makes it read-only, when it no longer counts as data; and again, and again."""

import ctypes
import mmap

PIECE = 8 << 20
MOST = 300 << 20


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    held = 0
    while held < MOST:
        at = libc.mmap(None, PIECE, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        if at == ctypes.c_void_p(-1).value:
            return None
        ctypes.memset(at, 1, PIECE)
        libc.mprotect(at, PIECE, mmap.PROT_READ)
        held += PIECE
    return f"held {held >> 20} MiB"
