"""Says that it ran out of memory when it did not."""


def attack():
    raise MemoryError
