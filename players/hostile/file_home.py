"""Look into people's homes, for files that are in nearly every one."""

import glob
import os

KEPT = (".bashrc", ".profile")  # nothing private: what counts is whether a home can be read at all


def attack():
    for home in ("/root", os.path.expanduser("~"), *glob.glob("/home/*"), "/home", "/Users"):
        for name in KEPT:
            try:
                with open(f"{home}/{name}", "rb") as file:
                    return f"read {len(file.read())} bytes of {home}/{name}"
            except OSError:
                continue
