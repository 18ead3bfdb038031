"""Thinks in the rivals' turn, in threads that thaw the process all the time: SIGCONT takes a SIGSTOP back."""

import os
import signal
import threading
import time

ENOUGH = 0.03  # seconds
left = None  # when its last turn ended
stamps = []


def think():
    until = time.monotonic() + 1
    while (now := time.monotonic()) < until:
        stamps.append(now)
        for _ in range(20):
            try:
                os.kill(FIRST, signal.SIGCONT)
            except OSError:
                return  # it may not


def attack():
    global left
    back = time.monotonic()
    if left is None:
        for _ in range(3):
            threading.Thread(target=think, daemon=True).start()
    else:
        between = sorted(stamp for stamp in stamps if left < stamp < back)
        steps = [after - before for before, after in zip(between, between[1:])]
        thought = sum(step for step in steps if step < 0.005)
        if thought > ENOUGH:
            return f"thought for {thought:.3f} s of {back - left:.3f} in the rivals' turn"
    time.sleep(0.005)
    left = time.monotonic()
    return None


FIRST = os.getpid()
