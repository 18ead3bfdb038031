"""Computes for ever in the handler of the signal that thaws it."""

import signal


def spin(number, frame):
    while True:
        pass


def attack():
    signal.signal(signal.SIGCONT, spin)
    return None  # the next question finds it spinning
