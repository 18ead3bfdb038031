"""Computes in bursts and naps between, so that a clock that samples would miss it."""

import time

BURST, NAP = 0.0008, 0.00005
ENOUGH = 1.0  # seconds of CPU, far over its budget


def attack():
    thought = 0.0
    while thought < ENOUGH:
        begun = time.perf_counter()
        while (now := time.perf_counter()) < begun + BURST:
            pass
        thought += now - begun
        time.sleep(NAP)
    return f"computed for {thought:.2f} s"
