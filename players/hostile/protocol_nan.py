"""Answer with something that is no number, and is not equal to itself."""


def attack():
    return float("nan")
