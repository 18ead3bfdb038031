"""Nest directories 1,000 deep: whoever walks them to clean up runs out of stack, or of path."""

import os


def attack():
    here = os.getcwd()
    try:
        for _ in range(1000):
            os.mkdir("d" * 20)
            os.chdir("d" * 20)
        open("bottom", "w").close()
    except OSError:
        pass
    finally:
        os.chdir(here)
