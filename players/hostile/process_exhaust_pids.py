"""Takes process ids in a chain: each child, in a session of its own, makes the next, and all stay."""

import os
import time

MOST = 150


def attack():
    count, told = os.pipe()
    try:
        for _ in range(MOST):
            if os.fork():
                break
            os.setsid()
            os.write(told, b".")
    except OSError:
        pass
    if os.getpid() != FIRST:
        time.sleep(3)
        os._exit(0)
    time.sleep(0.2)
    os.set_blocking(count, False)
    try:
        made = len(os.read(count, 4096))
    except BlockingIOError:
        return None
    return f"holds {made} process ids" if made >= 64 else None


FIRST = os.getpid()
