"""Keep memory from being swapped out, at the others' cost."""

import ctypes
import mmap


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    page = mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    address = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    if libc.mlock(address, ctypes.c_size_t(1 << 20)) == 0 or libc.mlockall(3) == 0:
        return "locked memory"
