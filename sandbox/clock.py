"""Time: what another process used, read from outside it, and when ours for it is at an end."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable

import msgspec

_TARDY = 0.05  # seconds by which a look may come late before it is the referee's delay


def cpu_clock(pid: int) -> Callable[[], float]:
    """A function that reads the CPU seconds used so far by every thread of process `pid`.

    It works until the process has been reaped (a zombie still reads) and then raises OSError.
    """
    if sys.platform != "linux":
        return _portable_clock(pid)
    clock_id = (~pid << 3) | 2  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED), linux/posix-timers.h
    return functools.partial(time.clock_gettime, clock_id)


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


def run_delay(pid: int) -> float:
    """Seconds for which the main thread of process `pid` was ready to run and had to wait for a core."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):  # a kernel without it
        return 0.0


class Deadline(msgspec.Struct):
    """The end of a call by the wall's clock. Time that was not the worker's to use is added to it."""

    begun: float
    seconds: float
    looked: float  # when the referee last did
    excused: float = 0.0

    def left(self, now: float, wait: float, kept_waiting: Callable[[], float]) -> float:
        """The seconds left, for a referee that meant to look again after `wait` seconds."""
        late = now - self.looked - wait
        if late > _TARDY:  # Ctrl-Z, a debugger, a machine that is busy
            self.excused += late
        self.looked = now
        end = self.begun + self.seconds
        if now >= end + self.excused:
            self.excused += kept_waiting()
        return end + self.excused - now
