"""Disarms every timer, ignores their signals, bends every clock it can see, then computes for ever."""

import faulthandler
import signal
import time


def attack():
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)
    signal.alarm(0)
    for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    faulthandler.disable()
    faulthandler.unregister(signal.SIGXCPU)
    time.time = time.monotonic = time.perf_counter = time.process_time = time.thread_time = lambda: 0.0
    while True:
        pass
