"""Thinks in the rivals' turn, in the handler of a timer that fires while it waits to be asked."""

import signal
import time

ENOUGH = 0.05  # seconds
left = None  # when its last turn ended
spells = []


def think(number, frame):
    begun = last = time.monotonic()
    while (now := time.monotonic()) < begun + 0.02 and now - last < 0.005:  # not counting time it stood still
        last = now
    spells.append((begun, last))
    signal.setitimer(signal.ITIMER_REAL, 0.005)


def attack():
    global left
    back = time.monotonic()
    if left is None:
        signal.signal(signal.SIGALRM, think)
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        left = time.monotonic()
        return None
    signal.setitimer(signal.ITIMER_REAL, 0)
    thought = sum(last - begun for begun, last in spells if left < begun and last < back)
    return f"thought for {thought:.3f} s of {back - left:.3f} in the rivals' turn" if thought > ENOUGH else None
