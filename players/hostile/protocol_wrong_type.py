"""Answer with a number where words are wanted."""


def attack():
    return 7
