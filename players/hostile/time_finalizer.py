"""Lets go of an object whose finalizer never ends, just as it answers."""


class Clinging:
    def __del__(self):
        while True:
            pass


def attack():
    _held = Clinging()
    return None
