"""Is saved in Latin-1 and says nothing of it."""

NAME = "café"


def take_turn(view):
    return NAME
