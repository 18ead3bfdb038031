"""Undoes the death that comes with its parent's, and leaves its session."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE = 1, 36, 4


def attack():
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    for call in (os.setsid, lambda: os.setpgid(0, 0)):
        try:
            call()
        except OSError:
            pass
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return None  # whether it lives on shows from outside
