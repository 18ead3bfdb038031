"""Sleeps through its turn."""

import time


def attack():
    time.sleep(3600)
