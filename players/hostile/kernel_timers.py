"""Take the kernel's timers and event counters, of which there are not endlessly many."""

import ctypes
import os

TIMER_CREATE, TIMERFD, EVENTFD, EPOLL, SIGNALFD = {
    "x86_64": (222, 283, 290, 291, 289),
    "aarch64": (107, 85, 19, 20, 74),
}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    timer = ctypes.c_int()
    if libc.syscall(ctypes.c_long(TIMER_CREATE), 0, None, ctypes.byref(timer)) == 0:
        return "made a timer"
    for name, number in (("timer", TIMERFD), ("event", EVENTFD), ("epoll", EPOLL)):
        if libc.syscall(ctypes.c_long(number), 0, 0) >= 0:
            return f"made a descriptor of the kind {name}"
    if libc.syscall(ctypes.c_long(SIGNALFD), -1, bytes(8), ctypes.c_long(8), 0) >= 0:
        return "made a descriptor for signals"
