"""Has a child thaw it again and again in the rivals' turn, while a thread of its own thinks."""

import os
import signal
import threading
import time

ENOUGH = 0.05  # seconds
left = None  # when its last turn ended
stamps = []


def think():
    until = time.monotonic() + 1
    while (now := time.monotonic()) < until:
        stamps.append(now)
        for _ in range(500):
            pass


def thaw(pid):
    until = time.monotonic() + 0.3
    while time.monotonic() < until:
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.0005)
    os._exit(0)


def attack():
    global left
    back = time.monotonic()
    if left is None:
        first = os.getpid()
        try:
            if os.fork() == 0:
                thaw(first)
        except OSError:
            pass
        threading.Thread(target=think, daemon=True).start()
        left = time.monotonic()
        return None
    between = [stamp for stamp in stamps if left < stamp < back]
    steps = [after - before for before, after in zip(between, between[1:])]
    thought = sum(step for step in steps if step < 0.005)
    return f"thought for {thought:.3f} s of {back - left:.3f} in the rivals' turn" if thought > ENOUGH else None
