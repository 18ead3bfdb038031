"""Writes out an integer of many millions of digits, which Python itself refuses."""


def attack():
    return str(7 << 40_000_000)[:10]
