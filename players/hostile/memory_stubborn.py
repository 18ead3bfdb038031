"""Takes all there is, and when refused asks again, for ever."""


def attack():
    held = []
    while len(held) < 300:
        try:
            held.append(bytearray(1 << 20))
        except MemoryError:
            pass
    return f"held {len(held)} MiB"
