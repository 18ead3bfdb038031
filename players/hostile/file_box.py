"""Look around in the box's own places for what others left: submissions, scratch, the referee's copies."""

import os

target = []


def attack():
    for path in (*target, "/box/bot", "/box", "/scratch", "/scratch/tmp"):
        for place, folders, files in os.walk(path):
            for name in files:
                return f"found {place}/{name}"
        try:
            return f"read {path}: {open(path).read(60)}"
        except OSError:
            continue
