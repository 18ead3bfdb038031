"""A move of Q in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.games.q.state import State

_MOST = 3  # tiles that are named; of more, only how many


def told(before: State, action: Any, after: State) -> str:
    entry = after.history[-1]
    if isinstance(entry.action, str):
        return "passes" if entry.action == "pass" else "exchanges its hand"
    tiles = [f"{color} {shape} on {place}" for place, (shape, color) in entry.action]
    what = ", ".join(tiles) if len(tiles) <= _MOST else f"{len(tiles)} tiles, the first {tiles[0]}"
    return f"puts {what} for {entry.points} point{'s' * (entry.points != 1)}"
