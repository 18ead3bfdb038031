"""List the machine's root, from wherever it can be reached."""

import os

ONLY_ON_A_MACHINE = {"proc", "sys", "boot", "var"}


def attack():
    for path in ("/", "/..", ".", "..", "../..", "/lib64/..", "/usr/..", "/dev/..", "/scratch/../.."):
        try:
            seen = set(os.listdir(path))
        except OSError:
            continue
        if seen & ONLY_ON_A_MACHINE:
            return f"{path} holds {sorted(seen)}"
