"""Learn which processes there are, from a call that takes any process's number."""

import os

target = []


def attack():
    own = {os.getpid(), 1}
    for pid in (*target, os.getppid(), *range(2, 300)):
        if pid in own or pid <= 0:
            continue
        try:
            os.sched_getaffinity(pid)
        except OSError:
            continue
        return f"there is a process {pid}"
