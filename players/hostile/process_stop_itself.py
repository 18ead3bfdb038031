"""Stops itself and waits for the referee to do something about it."""

import os
import signal


def attack():
    os.kill(os.getpid(), signal.SIGSTOP)
