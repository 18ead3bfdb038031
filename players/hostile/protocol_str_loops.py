"""Raise an exception that is never done saying its text."""


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def attack():
    raise Endless
