"""Answer with an integer of two million digits."""


def attack():
    return 1 << 7_000_000
