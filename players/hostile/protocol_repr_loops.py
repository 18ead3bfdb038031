"""Answer with an object that is never done showing itself."""


class Chatterbox:
    def __repr__(self):
        while True:
            pass


def attack():
    return Chatterbox()
