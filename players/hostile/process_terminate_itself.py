"""Ends itself with a signal that asks politely."""

import os
import signal


def attack():
    os.kill(os.getpid(), signal.SIGTERM)
