"""Leave the core it was put on, so that several threads compute at once."""

import os


def attack():
    before = os.sched_getaffinity(0)
    for cores in (range(1024), range(64), set(range(64)) - before, before):
        try:
            os.sched_setaffinity(0, cores)
        except (OSError, ValueError):
            continue
        if cores is before or os.sched_getaffinity(0) != before:
            return f"may choose its cores: {os.sched_getaffinity(0)}"
