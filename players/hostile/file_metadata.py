"""Learn which files the machine has, and how large they are, without opening one."""

import os

target = []


def attack():
    for path in (*target, "/etc/passwd", "/proc/1", "/sys", "/var/log", "/boot"):
        try:
            return f"{path} has {os.stat(path).st_size} bytes"
        except OSError:
            pass
        if os.access(path, os.F_OK):
            return f"{path} is there"
        try:
            os.chdir(path)
        except OSError:
            continue
        return f"went to {path}"
