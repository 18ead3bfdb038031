"""Leave a file anywhere but in scratch."""

import os
import tempfile

NAME = "hostile-was-here"
PLACES = (
    *("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/etc", "/home", "/root", "/run", "/usr", "/lib64", "/opt"),
    *("/scratch", "/box", "/box/bot", "/usr/share/zoneinfo", os.path.dirname(os.__file__), os.path.expanduser("~")),
)
target = []


def attack():
    for place in (*target, *PLACES):
        path = os.path.join(place, NAME)
        ways = {
            "a file": lambda: os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o666)),
            "a directory": lambda: os.mkdir(path),
            "a nameless file": lambda: os.close(os.open(place, os.O_TMPFILE | os.O_RDWR)),
            "a temporary file": lambda: tempfile.NamedTemporaryFile(prefix=NAME, dir=place, delete=False),
            "a move": lambda: os.rename(os.path.join(os.getcwd(), NAME), path),
            "a link": lambda: os.symlink("/", path),
        }
        for what, way in ways.items():
            try:
                way()
            except OSError:
                continue
            return f"made {what} in {place}"
