"""Signals every process it may, by kill(-1)."""

import os
import signal


def attack():
    for number in (0, signal.SIGURG):  # one that nobody minds: it is enough that it arrives
        try:
            os.kill(-1, number)
        except OSError:
            continue
        return "signalled whomever it could reach"
    return None
