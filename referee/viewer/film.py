"""A game's pictures, one a turn, as what changes from each to the next: that is little, and they are long."""

from __future__ import annotations

from typing import Any

_LONG = 4000  # characters: a line like this holds a whole board rather than a piece of one
_WIDEST = 80  # lines that are looked through for where two pictures go on alike


class Film:
    """Takes any SVG, of any game: a picture is a list of lines, and every different line is kept once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}  # of the lines
        self._last: list[int] = []
        self._changes: list[list[list[Any]]] = []

    def add(self, picture: str) -> None:
        lines = [
            self._numbers.setdefault(line, len(self._numbers))
            for whole in picture.splitlines(keepends=True)
            for line in ([whole] if len(whole) < _LONG else whole.replace("><", ">\n<").splitlines(keepends=True))
        ]
        self._changes.append([list(change) for change in changes(self._last, lines)])
        self._last = lines

    def plain(self) -> dict[str, Any]:
        """The lines, and for every picture its changes to the one before; the first is one to nothing."""
        return {"lines": list(self._numbers), "changes": self._changes}


def changes(old: list[int], new: list[int]) -> list[tuple[int, int, list[int]]]:
    """Where so many lines go and which come, the last first: so each can be made without moving the others."""
    found: list[tuple[int, int, list[int]]] = []
    at = to = 0
    while at < len(old) or to < len(new):
        if at < len(old) and to < len(new) and old[at] == new[to]:
            at, to = at + 1, to + 1
            continue
        gone, come = _until_alike(old, new, at, to)
        found.append((at, gone, new[to : to + come]))
        at, to = at + gone, to + come
    return found[::-1]


def _until_alike(old: list[int], new: list[int], at: int, to: int) -> tuple[int, int]:
    """How many lines to leave out on either side until both go on with the same one."""
    for both in range(1, _WIDEST):
        for gone in range(both + 1):
            one, other = at + gone, to + both - gone
            if one < len(old) and other < len(new) and old[one] == new[other]:
                return gone, both - gone
    return len(old) - at, len(new) - to
