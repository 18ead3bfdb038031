"""Load a shared library that it wrote itself."""

import ctypes
import glob
import os
import sysconfig


def attack():
    known = glob.glob(os.path.join(sysconfig.get_path("platstdlib"), "lib-dynload", "*.so"))
    known += glob.glob("/lib/*-linux-gnu/libz.so.1")
    for path in known[:3]:
        try:
            with open(path, "rb") as source, open("mine.so", "wb") as copy:
                copy.write(source.read())
            loaded = ctypes.CDLL(os.path.abspath("mine.so"))
        except OSError:
            continue
        return f"loaded {loaded}"
