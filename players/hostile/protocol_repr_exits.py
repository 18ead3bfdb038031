"""Answer with an object that ends the program when it is shown."""


class Bomb:
    def __repr__(self):
        raise SystemExit(0)


def attack():
    return Bomb()
