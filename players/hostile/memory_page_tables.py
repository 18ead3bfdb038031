"""Makes the kernel build page tables: reads one byte in every two megabytes of a mapping never written."""

import mmap

SPAN = 16 << 30
PIECE = 1 << 30
STEP = 2 << 20


def attack():
    held = []
    try:
        for _ in range(SPAN // PIECE):
            piece = mmap.mmap(-1, PIECE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
            held.append(piece)
            for at in range(0, PIECE, STEP):
                piece[at]
    except OSError:
        return None
    return f"read all over {SPAN >> 30} GiB"
