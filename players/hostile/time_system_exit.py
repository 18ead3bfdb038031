"""Leaves by SystemExit."""


def attack():
    raise SystemExit(0)
