"""Read how much time a rival has spent thinking, from the clock the kernel keeps for each process."""

import os
import time

target = []


def attack():
    for pid in (*target, os.getppid()):
        for kind in (0, 1, 2):  # of the process: profile, virtual, scheduled
            try:
                seconds = time.clock_gettime((~pid << 3) | kind)
            except OSError:
                continue
            if pid > 0:
                return f"process {pid} has used {seconds} s"
