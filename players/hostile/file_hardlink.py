"""Give a file of the machine's a second name in scratch."""

import ctypes
import os

AT_EMPTY_PATH = 0x1000
target = []


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for number, path in enumerate((*target, "/etc/passwd", os.__file__, "/dev/null")):
        name = f"hard{number}"
        try:
            os.link(path, name)
            return f"linked {path}"
        except OSError:
            pass
        try:
            descriptor = os.open(path, os.O_PATH)
        except OSError:
            continue
        if libc.linkat(descriptor, b"", -100, name.encode(), AT_EMPTY_PATH) == 0:
            return f"linked {path} by its descriptor"
