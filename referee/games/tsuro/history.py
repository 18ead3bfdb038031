"""What has happened so far, as players and spectators are told it."""

from __future__ import annotations

import msgspec

from referee.games.tsuro.actions import Placement
from referee.games.tsuro.board import Square
from referee.games.tsuro.tiles import Tile


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """A player put down its first tile and its avatar."""

    turn: int
    player: str
    action: Placement
    round: int = 0


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """A player played a tile on `square`; `out` are those it took off the board, loopers included.

    When all its options looped somebody the tile was not placed.
    """

    turn: int
    player: str
    action: Tile
    round: int
    square: Square
    placed: bool
    out: tuple[str, ...]


class Kicked(msgspec.Struct, frozen=True, tag="kicked"):
    """A player was shown out by the referee."""

    turn: int
    player: str
    round: int

    @property
    def action(self) -> None:
        """Nothing: it did not act."""
        return


Entry = Placed | Moved | Kicked


def news(history: tuple[Entry, ...], player: str) -> tuple[Entry, ...]:
    """What has happened since a player's own last action."""
    for number in range(len(history) - 1, -1, -1):
        if history[number].player == player:
            return history[number + 1 :]
    return history
