"""Takes POSIX shared memory, in files under /dev/shm."""

import os
from multiprocessing import shared_memory

PIECE = 8 << 20  # below the limit on a file's size
PIECES = 4
PLACES = ("/dev/shm", "/run/shm", "/tmp")


def attack():
    taken, blocks = 0, []
    try:
        for _ in range(PIECES):
            blocks.append(shared_memory.SharedMemory(create=True, size=PIECE))
            blocks[-1].buf[:] = bytes(PIECE)
            taken += PIECE
    except OSError:
        pass
    for block in blocks:
        block.unlink()
    for place in PLACES:
        path = os.path.join(place, "memory")
        try:
            with open(path, "wb") as file:
                taken += file.write(bytes(PIECE))
            os.unlink(path)
        except OSError:
            pass
    return f"took {taken:,} bytes of shared memory" if taken else None
