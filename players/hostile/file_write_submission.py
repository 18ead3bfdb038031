"""Change its own submission after it was checked, or leave something in its folder for the next game."""

import os
import sys


def attack():
    own = sys.modules["strategy"].__file__
    folder = os.path.dirname(own) or "/box/bot"
    for path in (own, os.path.join(folder, "strategy.py"), os.path.join(folder, "notes.txt")):
        for flags in (os.O_WRONLY, os.O_WRONLY | os.O_CREAT, os.O_RDWR | os.O_TRUNC, os.O_RDONLY | os.O_TRUNC):
            try:
                if os.path.dirname(path):  # not one in scratch, which is its own
                    os.open(path, flags)
                    return f"opened {path} to write"
            except OSError:
                continue
    for change in (os.unlink, os.rmdir, lambda path: os.rename(path, path + "x"), lambda path: os.chmod(path, 0o777)):
        for path in (os.path.join(folder, "strategy.py"), folder):
            try:
                change(path)
            except OSError:
                continue
            return f"changed {path}"
