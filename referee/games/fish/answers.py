"""The forms an answer may have: typed, or plain lists of integers."""

from __future__ import annotations

from operator import index
from typing import Any

from referee.games.fish.grid import Move, Tile
from referee.games.game import Illegal


def read_tile(answer: Any) -> Tile:
    """A placement in any of its forms, as a Tile."""
    tile = _tile(answer)
    if tile is None:
        raise Illegal(f"a placement is [row, col] with two integers, not {_shape(answer)}")
    return tile


def read_move(answer: Any) -> Move:
    """A movement in any of its forms, as a Move."""
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        start, end = map(_tile, answer)
        if start is not None and end is not None:
            return Move(start, end)
    raise Illegal(f"a movement is [[row, col], [row, col]], from where to where, not {_shape(answer)}")


def plain(method: str, answer: Any) -> Any:
    """An answer as plain data; what has no right form is left as it is, for the referee to refuse."""
    return _plain(answer, depth=2)


def _plain(value: Any, depth: int) -> Any:
    if depth and isinstance(value, (tuple, list)):
        return [_plain(part, depth - 1) for part in value[:3]]  # a third part is already wrong
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        return value
    try:
        return index(value)  # numbers of other packages, numpy's for one, are as good as Python's
    except Exception:
        return value


def _tile(value: Any) -> Tile | None:
    # True and 1.0 are no coordinates, though Python thinks them equal to 1.
    if isinstance(value, (tuple, list)) and len(value) == 2 and all(type(part) is int for part in value):
        return Tile(*value)
    return None


def _shape(value: Any) -> str:
    """Says what was given without showing it: a stranger chose it, and it may be endless."""
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)}" if len(value) != 2 else "a pair of something else"
    return "nothing" if value is None else f"a value of type {type(value).__name__[:40]}"
