"""Turn its pipes to packets, where what is not read at once is lost."""

import fcntl
import os


def attack():
    for descriptor in (1, 4):
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_DIRECT | os.O_ASYNC | os.O_APPEND)
    print("x" * 10_000)
