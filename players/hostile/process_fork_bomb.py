"""Forks children that fork children, all of which stay."""

import os
import time

ENOUGH = 64  # of processes: twice what a worker may have
FOR = 3.0  # seconds they stay, should nobody end them


def attack():
    count, told = os.pipe()
    try:
        for _ in range(7):  # 2 ** 7 processes, if nothing stops them
            if os.fork() == 0:
                os.write(told, b".")
    except OSError:
        pass
    if os.getpid() != FIRST:
        time.sleep(FOR)
        os._exit(0)
    time.sleep(0.1)
    os.set_blocking(count, False)
    try:
        children = len(os.read(count, 4096))
    except BlockingIOError:
        return None
    return f"holds {children} processes" if children >= ENOUGH else None


FIRST = os.getpid()
