"""Maps memory that grows down like a stack, which the limit on data does not count."""

import mmap

MOST = 300  # MiB
MAP_GROWSDOWN = 0x100


def attack():
    held = []
    for _ in range(MOST):
        piece = mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_GROWSDOWN)
        piece.write(b"x" * (1 << 20))
        held.append(piece)
    return f"held {len(held)} MiB"
