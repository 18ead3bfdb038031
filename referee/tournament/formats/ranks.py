"""Players in order of what they have."""

from __future__ import annotations

from collections.abc import Mapping

# Sums of the same fractions in another order differ in their last digits, and are the same to us.
_DIGITS = 9


def ranked(scores: Mapping[str, float]) -> list[set[str]]:
    """Best first; equal scores share a set."""
    places: dict[float, set[str]] = {}
    for player, score in scores.items():
        places.setdefault(round(score, _DIGITS), set()).add(player)
    return [places[score] for score in sorted(places, reverse=True)]
