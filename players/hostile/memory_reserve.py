"""Not a rogue: reserves address space it never touches, as large libraries do, and must be let."""

import mmap


def attack():
    try:
        mmap.mmap(-1, 512 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0)
    except OSError as refused:
        return f"was refused address space it does not use: {refused}"
    return None
