"""Change its root."""

import os


def attack():
    for place in ("/", "/scratch/tmp", os.getcwd(), os.path.dirname(os.__file__)):
        try:
            os.chroot(place)
        except OSError:
            continue
        return f"has {place} for its root"
