"""A process that is never the same for long: it forks, the parent ends, the child goes on, in many strands."""

import os
import time

STRANDS = 10


def run_away(until):
    while time.monotonic() < until:
        try:
            if os.fork():
                os._exit(0)
            os.setsid()
        except OSError:
            time.sleep(0.001)
    os._exit(0)


def attack():
    for _ in range(STRANDS):
        try:
            if os.fork() == 0:
                run_away(time.monotonic() + 5)
        except OSError:
            break
    return None  # whether any was left behind shows from outside
