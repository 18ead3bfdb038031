"""Uses much memory for a moment, and gives it back before anybody looks."""


def attack():
    block = bytearray(b"x") * (40 << 20)
    del block
    return None
