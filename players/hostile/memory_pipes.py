"""Keeps memory in pipes, widened as far as they go."""

import fcntl
import os

PIPES = 15
F_SETPIPE_SZ = 1031
ENOUGH = 8 << 20


def attack():
    held = 0
    for _ in range(PIPES):
        _, pipe = os.pipe()
        os.set_blocking(pipe, False)
        try:
            fcntl.fcntl(pipe, F_SETPIPE_SZ, 1 << 20)
        except OSError:
            pass
        try:
            while True:
                held += os.write(pipe, bytes(1 << 16))
        except BlockingIOError:
            pass
    return f"held {held:,} bytes in pipes" if held > ENOUGH else None
