"""Maps private memory of its own, past the allocator."""

import mmap

MOST = 300  # MiB


def attack():
    held = []
    for _ in range(MOST):
        piece = mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        piece.write(b"x" * (1 << 20))
        held.append(piece)
    return f"held {len(held)} MiB"
