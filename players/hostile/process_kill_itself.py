"""Kills itself with the signal a kick uses, to pass for a fault of the machine."""

import os
import signal


def attack():
    os.kill(os.getpid(), signal.SIGKILL)
