"""Asks for a gibibyte at once."""


def attack():
    return f"held {len(bytes(1 << 30)):,} bytes"
