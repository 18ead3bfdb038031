"""Leaves a daemon behind: forks twice, in a session of its own, deaf to signals."""

import os
import signal
import time


def attack():
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGXCPU):
                    signal.signal(number, signal.SIG_IGN)
                time.sleep(20)
            os._exit(0)
    except OSError:
        pass
    return None  # whether it was left behind shows from outside
