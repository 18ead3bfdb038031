"""Thinks in the rivals' turn, in a child that is not frozen with it and that no clock of its counts."""

import os
import time

ENOUGH = 0.05
left = None  # when its last turn ended
told = None


def think(tell):
    begun = time.monotonic()
    while time.monotonic() < begun + 0.1:
        pass
    os.write(tell, repr((begun, time.monotonic(), time.process_time())).encode())
    os._exit(0)


def attack():
    global left, told
    back = time.monotonic()
    if left is None:
        told, tell = os.pipe()
        try:
            if os.fork() == 0:
                think(tell)
        except OSError:
            os.write(tell, b"(0, 0, 0)")
        left = time.monotonic()
        return None
    begun, ended, used = eval(os.read(told, 1000))
    return f"thought for {used:.3f} s in the rivals' turn" if ended < back and used > ENOUGH else None
