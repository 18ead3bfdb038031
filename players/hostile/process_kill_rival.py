"""Kills rivals whose process ids it knows, by every call that sends a signal."""

import ctypes
import os
import platform
import signal

target = []  # process ids
KILL, TGKILL, TKILL, SIGQUEUE, PIDFD_OPEN, PIDFD_SEND = {
    "x86_64": (62, 234, 200, 129, 434, 424),
    "aarch64": (129, 131, 130, 138, 434, 424),
}[platform.machine()]


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    info = (ctypes.c_int * 32)(signal.SIGKILL, 0, -1)  # siginfo_t, SI_QUEUE
    for pid in target:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
        syscall(KILL, pid, signal.SIGKILL)
        syscall(KILL, -pid, signal.SIGKILL)
        syscall(TGKILL, pid, pid, signal.SIGKILL)
        syscall(TKILL, pid, signal.SIGKILL)
        syscall(SIGQUEUE, pid, signal.SIGKILL, info)
        descriptor = syscall(PIDFD_OPEN, pid, 0)
        if descriptor >= 0:
            syscall(PIDFD_SEND, descriptor, signal.SIGKILL, None, 0)
    return None  # whether they live shows from outside
