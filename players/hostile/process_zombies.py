"""Leaves children unburied, each of which keeps a process id."""

import os

MOST = 200


def attack():
    made = 0
    try:
        for _ in range(MOST):
            if os.fork() == 0:
                os._exit(0)
            made += 1
    except OSError:
        pass
    return f"holds {made} zombies" if made >= 64 else None
