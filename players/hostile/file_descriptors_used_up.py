"""Open files until there are no descriptors left, and never close them."""

import os

held = []


def attack():
    try:
        while len(held) < 2000:
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
    try:
        while len(held) < 2000:
            held.append(os.dup(0))
    except OSError:
        pass
    if len(held) > 64:
        return f"holds {len(held):,} descriptors"
