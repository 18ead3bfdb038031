"""Raises KeyboardInterrupt, in the hope that it stops the referee."""


def attack():
    raise KeyboardInterrupt
