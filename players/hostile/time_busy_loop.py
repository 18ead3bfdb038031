"""Computes for ever."""


def attack():
    while True:
        pass
