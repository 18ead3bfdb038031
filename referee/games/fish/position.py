"""The rules of Fish: where all penguins stand, who may do what, and what follows from it.

A position knows nothing of calls, history or misconduct; a search can walk through thousands of them.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from referee.games.fish.answers import read_move, read_tile
from referee.games.fish.grid import Grid, Line, Move, Tile
from referee.games.fish.judge import why_not_move, why_not_place
from referee.games.game import Illegal

NOBODY = -1
# By number of seats and by seat: the others in turn, then that seat itself.
ROUND_THE_TABLE = [[[(seat + step) % n for step in range(1, n + 1)] for seat in range(n)] for n in range(5)]

Cells = tuple[tuple[int, ...], ...]
Value = TypeVar("Value")


class Position(msgspec.Struct, frozen=True):
    """One arrangement of tiles and penguins, with the player to act; everything by seat is in seat order."""

    grid: Grid
    fish: bytes  # on each cell; 0 is a hole
    free: int  # the cells with a tile and no penguin
    names: tuple[str, ...]
    penguins: Cells  # by seat, the cells they stand on
    to_place: tuple[int, ...]  # by seat, how many penguins are still in hand
    points: tuple[int, ...]  # by seat
    seat: int  # whose turn it is, or NOBODY

    @property
    def player(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self.seat == NOBODY else self.names[self.seat]

    @property
    def phase(self) -> str:
        if self.seat == NOBODY:
            return "done"
        return "placing" if self.to_place[self.seat] else "moving"

    @property
    def is_over(self) -> bool:
        return self.seat == NOBODY

    @property
    def scores(self) -> dict[str, int]:
        return dict(zip(self.names, self.points, strict=True))

    @property
    def board(self) -> tuple[tuple[int, ...], ...]:
        """The fish on every tile, row by row; 0 is a hole."""
        width = self.grid.columns
        return tuple(tuple(self.fish[start : start + width]) for start in range(0, len(self.fish), width))

    def penguins_of(self, player: str) -> tuple[Tile, ...]:
        """Where a player's penguins stand, in the order they were placed."""
        return tuple(self.grid.tiles[cell] for cell in self.penguins[self.names.index(player)])

    def free_tiles(self) -> list[Tile]:
        """Every tile without a penguin, in row-major order."""
        free = self.free
        return [tile for bit, tile in self.grid.bits if free & bit]

    def legal_moves(self) -> list[Any]:
        """All that the player to act may do: tiles while placing, moves afterwards, nothing at the end.

        Moves come penguin by penguin, direction by direction (N, NE, SE, S, SW, NW), nearest first.
        """
        moves: list[Any] = []
        if self.seat == NOBODY:
            return moves
        if self.to_place[self.seat]:
            return self.free_tiles()
        free = self.free
        rays = self.grid.rays
        for cell in self.penguins[self.seat]:
            for ray in rays[cell]:
                for bit, move in ray:
                    if not free & bit:
                        break
                    moves.append(move)
        return moves

    def check(self, action: Any) -> str | None:
        """Why the player to act may not do this; None when it may."""
        try:
            self.legal(action)
        except Illegal as illegal:
            return str(illegal)
        return None

    def legal(self, action: Any) -> Any:
        """A legal action in its typed form, a Tile or a Move; anything else raises Illegal."""
        if self.seat == NOBODY:
            raise Illegal("the game is over")
        return self._tile(action) if self.to_place[self.seat] else self._line(action).move

    def fish_gained(self, action: Any) -> int:
        """What an action earns at once: the fish of the tile that a penguin leaves."""
        action = self.legal(action)
        return self.fish[self.grid.cells[action.start]] if isinstance(action, Move) else 0

    def after(self, action: Any) -> Position:
        """The position a legal action leads to, with the turn passed on; anything else raises Illegal."""
        seat = self.seat
        if seat == NOBODY:
            raise Illegal("the game is over")
        if self.to_place[seat]:
            cell = self.grid.cells[self._tile(action)]
            mine = (*self.penguins[seat], cell)
            hands = _put(self.to_place, seat, self.to_place[seat] - 1)
            penguins = _put(self.penguins, seat, mine)
            return self._passed(self.fish, self.free ^ 1 << cell, penguins, hands, self.points)
        line = self._line(action)
        start = line.start
        mine = tuple([line.end if cell == start else cell for cell in self.penguins[seat]])
        return self._passed(
            self.fish[:start] + b"\0" + self.fish[start + 1 :],
            self.free ^ 1 << line.end,
            _put(self.penguins, seat, mine),
            self.to_place,
            _put(self.points, seat, self.points[seat] + self.fish[start]),
        )

    def without(self, seat: int) -> Position:
        """The position once a player has left with its penguins; the tiles under them stay.

        Its turn, if it was, goes to the next. A game that was over stays over.
        """
        free = self.free
        for cell in self.penguins[seat]:
            free |= 1 << cell
        penguins, hands = _put(self.penguins, seat, ()), _put(self.to_place, seat, 0)
        if seat == self.seat:
            return self._passed(self.fish, free, penguins, hands, self.points)
        return msgspec.structs.replace(self, free=free, penguins=penguins, to_place=hands)

    def _tile(self, action: Any) -> Tile:
        tile = read_tile(action)
        cell = self.grid.cells.get(tile)
        if cell is None or not self.free >> cell & 1:
            raise Illegal(why_not_place(self, tile))
        return self.grid.tiles[cell]

    def _line(self, action: Any) -> Line:
        try:
            line = self.grid.lines.get(action)
        except TypeError:  # lists have no hash
            line = None
        if line is None or line.move is not action:  # else it came from legal_moves, and its form is right
            move = read_move(action)
            line = self.grid.lines.get(move)
            if line is None:
                raise Illegal(why_not_move(self, move))
        if line.start not in self.penguins[self.seat] or line.path & ~self.free:
            raise Illegal(why_not_move(self, line.move))
        return line

    def _passed(
        self, fish: bytes, free: int, penguins: Cells, to_place: tuple[int, ...], points: tuple[int, ...]
    ) -> Position:
        """A changed position, with the turn passed on from the player who has it in this one."""
        seat = next_seat(self.grid, free, penguins, to_place, self.seat)
        return Position(self.grid, fish, free, self.names, penguins, to_place, points, seat)


def next_seat(grid: Grid, free: int, penguins: Cells, to_place: tuple[int, ...], last: int) -> int:
    """Who acts after `last`: whoever has penguins in hand; once all are placed, whoever can move."""
    order = ROUND_THE_TABLE[len(to_place)][last]
    if any(to_place):
        # With no tile left those who still hold penguins are out, and nobody else can move either.
        return next(seat for seat in order if to_place[seat]) if free else NOBODY
    near = grid.near
    for seat in order:
        for cell in penguins[seat]:
            if near[cell] & free:
                return seat
    return NOBODY


def _put(values: tuple[Value, ...], seat: int, value: Value) -> tuple[Value, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
