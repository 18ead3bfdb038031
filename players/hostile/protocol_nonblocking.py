"""Make every pipe answer at once, whether there is room or not."""

import fcntl
import os


def attack():
    for descriptor in range(5):
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)
