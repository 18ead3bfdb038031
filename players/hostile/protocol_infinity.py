"""Answer with more than any number."""


def attack():
    return 1e999
