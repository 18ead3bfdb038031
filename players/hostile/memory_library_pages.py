"""Maps a file of the library privately, for writing, again and again: copies nobody counts as data."""

import mmap
import os

MOST = 300 << 20


def attack():
    held, pieces = 0, []
    with open(os.__file__, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        try:
            while held < MOST:
                piece = mmap.mmap(file.fileno(), size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
                piece[:] = bytes(size)
                pieces.append(piece)
                held += size
        except OSError:
            return None
    return f"held {held:,} bytes in {len(pieces)} copies of a file"
