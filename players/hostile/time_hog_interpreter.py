"""Keeps the interpreter to a thread that computes, so that the answer is never sent."""

import sys
import threading


def spin():
    while True:
        pass


def attack():
    sys.setswitchinterval(1e6)
    threading.Thread(target=spin, daemon=True).start()
    return None
