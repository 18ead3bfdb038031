"""Raise an exception whose class will not tell its name."""


class Meta(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class Nameless(Exception, metaclass=Meta):
    pass


def attack():
    raise Nameless
