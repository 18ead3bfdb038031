"""Come before the others: a better nice value, a real-time class, the disk's first place."""

import ctypes
import os
import struct

SETATTR, IOPRIO_SET = {"x86_64": (314, 251), "aarch64": (274, 30)}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    ways = {
        "nice": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
        "FIFO": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
        "round robin": lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)),
    }
    for what, way in ways.items():
        try:
            way()
        except OSError:
            continue
        return f"runs as {what}"
    deadline = struct.pack("<IIQiIQQQ", 48, 6, 0, 0, 0, 10_000_000, 30_000_000, 30_000_000)
    if libc.syscall(ctypes.c_long(SETATTR), 0, deadline, 0) == 0:
        return "runs with a deadline"
    if libc.syscall(ctypes.c_long(IOPRIO_SET), 1, 0, 1 << 13) == 0:
        return "is first at the disk"
