"""Raises something of its own that is no ordinary Exception."""


class Strange(BaseException):
    pass


def attack():
    raise Strange("not an Exception")
