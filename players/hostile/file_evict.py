"""Throw the libraries out of the machine's cache, so that the rivals' imports are slow."""

import ctypes
import os


def attack():
    library = os.open(os.__file__, os.O_RDONLY)
    try:
        os.posix_fadvise(library, 0, 0, os.POSIX_FADV_DONTNEED)
        return "evicted the library"
    except OSError:
        pass
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.readahead(library, ctypes.c_long(0), ctypes.c_size_t(1 << 20)) == 0:
        return "read ahead in the library"
