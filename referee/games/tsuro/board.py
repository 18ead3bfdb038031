"""The board: squares, what lies across each port, and where every path ends.

Inside the rules a square is a number, `y * width + x`, and a *spot* is one of its ports, `8 * square + port`.
Whoever stands on a spot looks across it at the next square.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec

from referee.games.tsuro.tiles import CODES, EXITS, PORTS, TILES, Tile

EMPTY = 255  # in `Position.tiles`: no tile yet
OFF = -1  # in place of a spot: beyond the edge, or no avatar

_FACES = dict(zip("ABCDEFGH", "FEHGBADC", strict=True))  # what a port touches on the neighbouring square
_STEPS = dict(zip("ABCDEFGH", [(0, -1)] * 2 + [(1, 0)] * 2 + [(0, 1)] * 2 + [(-1, 0)] * 2, strict=True))


class Square(NamedTuple):
    """Column and row, from the top left corner."""

    x: int
    y: int


class Avatar(NamedTuple):
    """Where a player's avatar stands."""

    square: Square
    port: str


class Grid(msgspec.Struct, frozen=True):
    """All that a board's size settles for good."""

    across: tuple[int, ...]  # by spot: the spot it touches on the next square, or OFF
    neighbours: tuple[tuple[int, ...], ...]  # by square
    rim: tuple[int, ...]  # the squares of the edge, clockwise from (1, 0) round to (0, 0)
    inward: tuple[tuple[int, ...], ...]  # by square: the ports that look at another square


@lru_cache(maxsize=64)
def grid(width: int, height: int) -> Grid:
    across: list[int] = []
    for square in range(width * height):
        for port in PORTS:
            x, y = square % width + _STEPS[port][0], square // width + _STEPS[port][1]
            inside = 0 <= x < width and 0 <= y < height
            across.append((y * width + x) * 8 + PORTS.index(_FACES[port]) if inside else OFF)
    squares = range(width * height)
    inward = tuple(tuple(port for port in range(8) if across[square * 8 + port] != OFF) for square in squares)
    neighbours = tuple(
        tuple(across[square * 8 + port] >> 3 for port in range(0, 8, 2) if port in inward[square]) for square in squares
    )
    east, south = width - 1, height - 1
    rim = (
        *((x, 0) for x in range(1, width)),
        *((east, y) for y in range(1, height)),
        *((x, south) for x in reversed(range(east))),
        *((0, y) for y in reversed(range(south))),
    )
    return Grid(tuple(across), neighbours, tuple(y * width + x for x, y in rim), inward)


class Option(msgspec.Struct, frozen=True):
    """What putting one tile on the square its player looks at would do."""

    seat: int
    tile: Tile
    loopers: tuple[int, ...]  # the seats it sends round a loop; the tile is then not placed
    collides: bool  # two avatars come to stand on one port
    avatars: tuple[int, ...]  # everyone's spot afterwards

    @property
    def suicide(self) -> bool:
        """It takes its own player off the board, and neither loops nor collides."""
        return self.avatars[self.seat] == OFF and not self.loopers and not self.collides


class Position(msgspec.Struct, frozen=True):
    """The tiles and the avatars: all that a search needs. `seat` counts the players from 0."""

    width: int
    height: int
    tiles: bytes  # by square: a tile's number or EMPTY
    avatars: tuple[int, ...]  # by seat: its spot, or OFF

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats with an avatar on the board."""
        return tuple(seat for seat, spot in enumerate(self.avatars) if spot != OFF)

    def tile(self, square: tuple[int, int]) -> Tile | None:
        """The tile on (x, y)."""
        x, y = square
        code = self.tiles[y * self.width + x]
        return None if code == EMPTY else TILES[code]

    def avatar(self, seat: int) -> Avatar | None:
        spot = self.avatars[seat]
        return None if spot == OFF else Avatar(self._square(spot >> 3), PORTS[spot & 7])

    def looks_at(self, seat: int) -> Square | None:
        """The square that a seat's next tile goes to."""
        spot = self.avatars[seat]
        return None if spot == OFF else self._square(grid(self.width, self.height).across[spot] >> 3)

    def ways_on(self, seat: int) -> int:
        """How many ports of the square ahead lead to where one can stand: the fewer, the tighter it gets."""
        spot = self.avatars[seat]
        if spot == OFF:
            return 0
        return sum(end > OFF for end in self._ends(grid(self.width, self.height).across[spot] >> 3))

    def options(self, seat: int, hand: tuple[int, ...]) -> list[Option]:
        """What each tile of the hand would do, turned each way: tile by tile, 0 to 270 degrees."""
        across = grid(self.width, self.height).across
        spot = self.avatars[seat]
        if spot == OFF:
            return []
        square = across[spot] >> 3
        ends = self._ends(square)
        movers = [
            (who, across[spot] & 7)
            for who, spot in enumerate(self.avatars)
            if spot != OFF and across[spot] >> 3 == square
        ]
        return [self._option(seat, code, ends, movers) for kind in hand for code in range(4 * kind, 4 * kind + 4)]

    def after(self, option: Option) -> Position:
        """The position once an option is played: a tile that loops somebody is not placed."""
        tiles = self.tiles
        if not option.loopers:
            across = grid(self.width, self.height).across
            square = across[self.avatars[option.seat]] >> 3
            tiles = tiles[:square] + bytes((CODES[option.tile],)) + tiles[square + 1 :]
        return Position(self.width, self.height, tiles, option.avatars)

    def put(self, seat: int, tile: Tile, square: int, port: int) -> Position:
        """A player's first tile on the board, and its avatar on it."""
        tiles = self.tiles[:square] + bytes((CODES[tile],)) + self.tiles[square + 1 :]
        return Position(self.width, self.height, tiles, self._moved(seat, square * 8 + port))

    def without(self, seat: int) -> Position:
        """The position when a seat's avatar is taken away."""
        return Position(self.width, self.height, self.tiles, self._moved(seat, OFF))

    def _moved(self, seat: int, spot: int) -> tuple[int, ...]:
        return (*self.avatars[:seat], spot, *self.avatars[seat + 1 :])

    def _square(self, number: int) -> Square:
        return Square(number % self.width, number // self.width)

    def _ends(self, square: int) -> list[int]:
        """Where one gets who leaves an empty square by each of its ports.

        That is a spot to stop on, or OFF, or, for a path that comes back into the square, `-2 - port`. All
        tiles that may be put there share these eight answers, so the paths are walked once for all of them.
        """
        across = grid(self.width, self.height).across
        tiles = self.tiles
        ends = []
        for start in range(square * 8, square * 8 + 8):
            spot = start
            while True:
                entry = across[spot]
                if entry == OFF:
                    spot = OFF
                    break
                following = entry >> 3
                if following == square:
                    spot = -2 - (entry & 7)
                    break
                code = tiles[following]
                if code == EMPTY:
                    break
                spot = (following << 3) + EXITS[code][entry & 7]
            ends.append(spot)
        return ends

    def _option(self, seat: int, code: int, ends: list[int], movers: list[tuple[int, int]]) -> Option:
        exits = EXITS[code]
        avatars = list(self.avatars)
        loopers: tuple[int, ...] = ()
        for who, start in movers:
            end = ends[exits[start]]
            while end < OFF and -2 - end != start:
                end = ends[exits[-2 - end]]
            if end < OFF:
                loopers = (*loopers, who)
            avatars[who] = end
        if loopers:
            return Option(seat, TILES[code], loopers, False, self._looped(loopers))
        return Option(seat, TILES[code], loopers, self._collides(avatars, movers), tuple(avatars))

    def _looped(self, loopers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(OFF if who in loopers else spot for who, spot in enumerate(self.avatars))

    def _collides(self, avatars: list[int], movers: list[tuple[int, int]]) -> bool:
        """Whether an avatar that moved now shares a port with one it did not share it with before."""
        before = self.avatars
        for mover, _ in movers:
            spot = avatars[mover]
            if spot != OFF and avatars.count(spot) > 1:
                for who, other in enumerate(avatars):
                    if other == spot and before[who] != before[mover]:
                        return True
        return False


def empty(width: int, height: int, seats: int) -> Position:
    return Position(width, height, bytes((EMPTY,)) * (width * height), (OFF,) * seats)
