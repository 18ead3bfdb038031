"""Recurses through C code, which uses the real stack, with the limit raised as far as it goes."""

import sys


class Nest:
    def __repr__(self):
        return repr([self])


def attack():
    sys.setrecursionlimit(2**31 - 1)
    return repr(Nest())[:10]
