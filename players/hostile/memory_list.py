"""Doubles a list until it has no room."""


def attack():
    held = [None] * 1024
    while len(held) < 40_000_000:  # 320 MB of pointers
        held += held
    return f"held a list of {len(held):,}"
