"""Sets the machine's clocks."""

import ctypes
import platform
import time

SETTIME, SETTIMEOFDAY, ADJTIMEX = {"x86_64": (227, 164, 159), "aarch64": (112, 170, 171)}[platform.machine()]


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    now = time.time_ns()
    same = (ctypes.c_long * 2)(now // 10**9, now % 10**9)  # no harm done if it works
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.time())
        return "set the clock"
    except OSError:
        pass
    if syscall(SETTIME, 0, same) == 0:
        return "set the clock by clock_settime"
    same[1] //= 1000
    if syscall(SETTIMEOFDAY, same, None) == 0:
        return "set the clock by settimeofday"
    timex = (ctypes.c_long * 32)(0x0008, 0)  # ADJ_ESTERROR
    ctypes.memmove(timex, (ctypes.c_uint * 1)(0x0008), 4)
    return "changed the clock's pace" if syscall(ADJTIMEX, timex) >= 0 else None
