"""Tell another worker something by locking a library that both can read."""

import ctypes
import fcntl
import os
import struct

OFD_SETLK, SETLEASE, NOTIFY = 37, 1024, 1026


def attack():
    descriptor = os.open(os.__file__, os.O_RDONLY)
    span = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 1, 0)
    ways = {
        "flock": lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB),
        "lockf": lambda: fcntl.fcntl(descriptor, fcntl.F_SETLK, span),
        "an open file's lock": lambda: fcntl.fcntl(descriptor, OFD_SETLK, span),
        "asking for locks": lambda: fcntl.fcntl(descriptor, fcntl.F_GETLK, span),
        "a lease": lambda: fcntl.fcntl(descriptor, SETLEASE, fcntl.F_RDLCK),
        "a watch": lambda: fcntl.fcntl(os.open(os.path.dirname(os.__file__), os.O_RDONLY), NOTIFY, 1),
    }
    for what, way in ways.items():
        try:
            way()
        except OSError:
            continue
        return f"{what} worked"
    if ctypes.CDLL(None, use_errno=True).flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB) == 0:
        return "a shared lock worked"
