"""Answer with an object that shows itself in a hundred megabytes."""


class Windbag:
    def __repr__(self):
        return "x" * 100_000_000


def attack():
    return Windbag()
