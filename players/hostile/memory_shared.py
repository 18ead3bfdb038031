"""Maps shared memory, which the limit on data does not count."""

import mmap

MOST = 300  # MiB


def attack():
    held = []
    for _ in range(MOST):
        piece = mmap.mmap(-1, 1 << 20)  # MAP_SHARED is Python's default
        piece.write(b"x" * (1 << 20))
        held.append(piece)
    return f"held {len(held)} MiB"
