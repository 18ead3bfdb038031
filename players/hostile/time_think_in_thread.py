"""Thinks in the rivals' turn, in a thread that goes on after the answer."""

import threading
import time

STEP = 0.0005  # stamps further apart than this mean that it stood still
ENOUGH = 0.05  # seconds
left = None  # when its last turn ended
stamps = []


def think():
    until = time.monotonic() + 1
    while (now := time.monotonic()) < until:
        stamps.append(now)
        for _ in range(500):
            pass


def attack():
    global left
    back = time.monotonic()
    if left is None:
        threading.Thread(target=think, daemon=True).start()
        time.sleep(0.01)
        left = time.monotonic()
        return None
    between = [stamp for stamp in stamps if left < stamp < back]
    steps = [after - before for before, after in zip(between, between[1:])]
    thought = sum(step for step in steps if step < STEP * 10)
    return f"thought for {thought:.3f} s of {back - left:.3f} in the rivals' turn" if thought > ENOUGH else None
