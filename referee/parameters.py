"""What a strategy may be given to set it up with: plain data, which can travel into a box and into a record."""

from __future__ import annotations

from typing import Any

from referee.match import Entrant

_DEEPEST = 8  # levels of lists and dicts


def check_parameters(entrant: Entrant) -> None:
    """Raises ValueError for what could not travel into a box, or be recorded."""
    for key, value in entrant.parameters.items():
        if type(key) is not str or not _is_plain(value, _DEEPEST):
            raise ValueError(
                f"the parameter {str(key)[:40]} of {entrant.name} is no plain data: None, a bool, a number of at most "
                f"64 bits, text, or lists and dicts of those, at most {_DEEPEST} deep"
            )


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind is dict:
        pairs = value.items()
        return depth > 0 and all(type(key) is str and _is_plain(inner, depth - 1) for key, inner in pairs)
    if kind is list or kind is tuple:
        return depth > 0 and all(_is_plain(inner, depth - 1) for inner in value)
    if kind is int:
        return bool(-(1 << 63) <= value < 1 << 64)
    return value is None or kind in (bool, float, str)
