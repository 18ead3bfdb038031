"""A move of Tsuro in words, and who has left the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.games.label import label
from referee.games.tsuro.history import Moved, Placed
from referee.games.tsuro.tiles import Tile

if TYPE_CHECKING:
    from referee.games.tsuro.state import State


def told(before: State, action: Any, after: State) -> str:
    entry = after.history[-1]
    if isinstance(entry, Placed):
        tile, (x, y), port = entry.action
        return f"begins with {_turned(tile)} on ({x}, {y}), its avatar on port {port}"
    assert isinstance(entry, Moved)
    what = f"plays {_turned(entry.action)} on ({entry.square.x}, {entry.square.y})"
    others = [label(player) for player in entry.out if player != entry.player]
    gone = ["it"] * (entry.player in entry.out) + others
    if not gone:
        return what
    leave = " and ".join(gone)
    if not entry.placed:
        return f"{what}, which sends {leave} round a loop: the tile is not placed"
    return f"{what}, and {leave} {'leaves' if len(gone) == 1 else 'leave'} the board"


def out(state: State) -> tuple[str, ...]:
    return tuple(player for player, fell in zip(state.players, state.fell, strict=True) if fell is not None)


def _turned(tile: Tile) -> str:
    return f"tile {tile.kind}" + (f" turned by {tile.degrees} degrees" if tile.degrees else "")
