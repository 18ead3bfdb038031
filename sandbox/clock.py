"""The CPU time of another process, read from outside it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def cpu_clock(pid: int) -> Callable[[], float]:
    """A function that reads the CPU seconds used so far by every thread of process `pid`.

    It works until the process has been reaped (a zombie still reads) and then raises OSError.
    """
    if sys.platform != "linux":
        return _portable_clock(pid)
    clock_id = (~pid << 3) | 2  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED), linux/posix-timers.h
    read = time.clock_gettime

    def seconds() -> float:
        return read(clock_id)

    return seconds


def _portable_clock(pid: int) -> Callable[[], float]:
    """Coarser (ten milliseconds), for systems without a clock that names another process."""
    import psutil  # not on Linux: the zygote's interpreter would carry it into every worker

    process = psutil.Process(pid)

    def seconds() -> float:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess as gone:
            raise ProcessLookupError(str(gone)) from None
        return times.user + times.system

    return seconds
