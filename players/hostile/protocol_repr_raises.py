"""Answer with an object that cannot be shown."""


class Shy:
    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __repr__


def attack():
    return Shy()
