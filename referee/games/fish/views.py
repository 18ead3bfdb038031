"""What a spectator and a player see of a game of Fish, which hides nothing but the future."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from referee.games.fish.grid import Move, Tile, grid
from referee.games.fish.position import NOBODY, Position


class Event(msgspec.Struct, frozen=True):
    """A placement (one tile), a movement (from a tile to a tile) or a kick (no tile)."""

    turn: int
    player: str
    tiles: tuple[Tile, ...]

    @property
    def action(self) -> Tile | Move | None:
        """What the player did; None when it was kicked."""
        if not self.tiles:
            return None
        return self.tiles[0] if len(self.tiles) == 1 else Move(*self.tiles)

    @property
    def plain(self) -> list[Any] | None:
        """The action as lists: [row, col], [[row, col], [row, col]] or None."""
        tiles = [list(tile) for tile in self.tiles]
        if not tiles:
            return None
        return tiles[0] if len(tiles) == 1 else tiles


class Player(msgspec.Struct, frozen=True):
    """One seat at the table."""

    name: str
    color: str
    score: int
    penguins: tuple[Tile, ...]  # in the order they were placed
    to_place: int  # penguins still in hand
    kicked: bool


class Public(msgspec.Struct, frozen=True, dict=True):
    """Everything there is to see."""

    phase: str  # placing, moving or done
    turn: int
    mover: str | None  # whose turn it is
    players: tuple[Player, ...]  # in seat order
    board: tuple[tuple[int, ...], ...]  # the fish on every tile, row by row; 0 is a hole
    history: tuple[Event, ...]  # all actions and kicks so far
    round: tuple[Event, ...]  # those since the turn last came round the table
    last: dict[str, Event]  # the last action of each player that has acted

    @cached_property
    def position(self) -> Position:
        """The same as a position to search on."""
        table = grid(len(self.board), len(self.board[0]))
        fish = bytes(fish for row in self.board for fish in row)
        penguins = tuple(tuple(table.cells[tile] for tile in player.penguins) for player in self.players)
        names = tuple(player.name for player in self.players)
        return Position(
            table,
            fish,
            free_cells(fish, penguins),
            names,
            penguins,
            tuple(player.to_place for player in self.players),
            tuple(player.score for player in self.players),
            NOBODY if self.mover is None else names.index(self.mover),
        )

    @property
    def scores(self) -> dict[str, int]:
        return {player.name: player.score for player in self.players}


class View(Public, frozen=True, dict=True):
    """What a strategy is given: the whole table, seen from one seat."""

    me: str

    @property
    def news(self) -> tuple[Event, ...]:
        """All that happened since my last turn."""
        mine = [number for number, event in enumerate(self.history, 1) if event.player == self.me]
        return self.history[mine[-1] :] if mine else self.history

    def free_tiles(self) -> list[Tile]:
        """Every tile without a penguin, in row-major order."""
        return self.position.free_tiles()

    def legal_moves(self) -> list[Any]:
        """All that the player to act may do: tiles while placing, moves afterwards."""
        return self.position.legal_moves()

    def check(self, action: Any) -> str | None:
        """Why an action would be illegal; None when it is fine."""
        return self.position.check(action)

    def fish_gained(self, action: Any) -> int:
        """What an action earns at once: the fish of the tile that a penguin leaves."""
        return self.position.fish_gained(action)

    def after(self, action: Any) -> Position:
        """The position that an action leads to, from which to look further."""
        return self.position.after(action)


def free_cells(fish: bytes, penguins: tuple[tuple[int, ...], ...]) -> int:
    """The set of cells that have a tile and no penguin."""
    tiles = sum(1 << cell for cell, count in enumerate(fish) if count)
    return tiles & ~sum(1 << cell for cells in penguins for cell in cells)
