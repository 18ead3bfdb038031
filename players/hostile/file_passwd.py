"""Read the machine's accounts, by every way to open a file and every spelling of its path."""

import ctypes
import os

NAMES = ("/etc/passwd", "//etc/./passwd", "/lib64/../etc/passwd", "/proc/self/root/etc/passwd")


def by_open(path):
    with open(path, "rb") as file:
        return file.read(40)


def by_descriptor(path):
    return os.pread(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), 40, 0)


def by_libc(path):
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.open(path.encode(), os.O_RDONLY)
    return os.read(descriptor, 40) if descriptor >= 0 else b""


def by_path_descriptor(path):
    handle = os.open(path, os.O_PATH)
    return os.read(os.open(f"/proc/self/fd/{handle}", os.O_RDONLY), 40)


def attack():
    for path in NAMES:
        for way in (by_open, by_descriptor, by_libc, by_path_descriptor):
            try:
                found = way(path)
            except OSError:
                continue
            if found:
                return f"read {len(found)} bytes of {path} {way.__name__}"
