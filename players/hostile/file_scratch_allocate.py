"""Reserve room in scratch that is never written."""

import os


def attack():
    try:
        descriptor = os.open("reserved", os.O_CREAT | os.O_RDWR)
    except OSError:
        return None
    for size in (1 << 40, 1 << 30, 64 << 20):
        try:
            os.posix_fallocate(descriptor, 0, size)
        except OSError:
            continue
        return f"reserved {size:,} bytes"
