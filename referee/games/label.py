"""How a player's name is shown: strangers choose names, without end or with control characters in them."""

from __future__ import annotations

from unicodedata import east_asian_width


def label(name: str, columns: int = 24) -> str:
    """A name no wider than so many columns, all of it printable; markup is for the drawing to escape."""
    shown = ""
    left = columns - 1  # the last is kept for the dots
    for letter in name[:columns]:
        left -= 2 if east_asian_width(letter) in "FW" else 1
        if left < 0:
            break
        shown += letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
    whole = len(shown) == len(name)
    return (shown if whole else shown + "…") if name.strip() else "(no name)"
