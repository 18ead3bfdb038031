"""Sleeps through its turn, but wakes all the time, so that it seems ready to run whenever somebody looks."""

import time


def attack():
    while True:
        time.sleep(0.0002)
