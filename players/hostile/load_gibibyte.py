"""Takes a gibibyte while it is loaded."""

TABLE = bytearray(1 << 30)


def take_turn(view):
    return len(TABLE)
