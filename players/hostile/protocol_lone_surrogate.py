"""Answer with half of a surrogate pair."""


def attack():
    return "a\ud800b"
