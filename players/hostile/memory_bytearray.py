"""Asks for bytes and fills them, piece by piece."""

MOST = 300  # MiB


def attack():
    held = [bytearray(b"x") * (1 << 20) for _ in range(MOST)]
    return f"held {len(held)} MiB"
