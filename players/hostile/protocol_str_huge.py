"""Raise an exception with a hundred megabytes of text."""


def attack():
    raise ValueError("x" * 100_000_000)
