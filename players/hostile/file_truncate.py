"""Empty a file that may only be read: by opening it, by path, by descriptor."""

import ctypes
import os

TRUNCATE = {"x86_64": 76, "aarch64": 45}
target = []


def attack():
    for path in (*target, os.path.join(os.path.dirname(os.__file__), "this.py")):
        ways = {
            "O_RDONLY|O_TRUNC": lambda: os.open(path, os.O_RDONLY | os.O_TRUNC),
            "mode 3": lambda: os.open(path, 3 | os.O_TRUNC),
            "O_PATH": lambda: os.ftruncate(os.open(path, os.O_PATH), 0),
            "a reading descriptor": lambda: os.ftruncate(os.open(path, os.O_RDONLY), 0),
            "truncate": lambda: os.truncate(path, 0),
        }
        for by, way in ways.items():
            try:
                way()
            except OSError:
                continue
            return f"emptied {path} by {by}"
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.syscall(ctypes.c_long(TRUNCATE[os.uname().machine]), path.encode(), ctypes.c_long(0)) == 0:
            return f"emptied {path}"
