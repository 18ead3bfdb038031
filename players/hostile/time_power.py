"""Raises nine to the power of nine to the power of nine."""


def attack():
    nine = 9
    return str(nine**nine**nine)[:10]
