"""Does not parse."""


def take_turn(view):
    return view.legal_moves()[0


def attack():
    pass
