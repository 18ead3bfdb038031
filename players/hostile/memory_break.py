"""Moves the end of its data segment, past the allocator."""

import ctypes

PIECE = 1 << 20
MOST = 300


def attack():
    sbrk = ctypes.CDLL(None, use_errno=True).sbrk
    sbrk.restype, sbrk.argtypes = ctypes.c_void_p, [ctypes.c_ssize_t]
    for held in range(MOST):
        at = sbrk(PIECE)
        if at == ctypes.c_void_p(-1).value:
            return None
        ctypes.memset(at, 1, PIECE)
    return f"held {held + 1} MiB"
