"""Raise an exception whose text cannot be had."""


class Mute(Exception):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__


def attack():
    raise Mute
