"""Fills a dict with small things until there is no memory for anything, the error included."""


def attack():
    held = {}
    for number in range(4_000_000):  # some 400 MB
        held[number] = str(number)
    return f"held a dict of {len(held):,}"
