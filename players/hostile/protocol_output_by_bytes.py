"""Print single bytes without end: each wakes the referee."""

import os


def attack():
    while True:
        os.write(1, b"x")
