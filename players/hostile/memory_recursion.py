"""Recurses in Python with the limit raised as far as it goes."""

import sys

DEEP = 3_000_000  # some 300 MB of frames


def down(depth):
    return down(depth - 1) if depth else f"recursed {DEEP:,} deep"


def attack():
    sys.setrecursionlimit(2**31 - 1)
    return down(DEEP)
