"""The settings of a game of Fish, and the boards they make."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

COLORS = ("red", "white", "brown", "black")
MOST_FISH = 5
MOST_TILES = 400  # the tables of straight lines grow faster than the board

Rows = tuple[tuple[int, ...], ...]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen; what is left out is drawn from the seed."""

    rows: int = 5
    columns: int = 5
    holes: int | tuple[tuple[int, int], ...] | None = None  # how many, or just where
    fish: int | None = None  # the same on every tile
    board: Rows | None = None  # fish on every tile, 0 for a hole; stands in for all of the above
    colors: Literal["random", "in order"] = "random"

    def __post_init__(self) -> None:
        if self.board is not None:
            _check_board(self.board)
            return
        if self.rows < 1 or self.columns < 1 or self.rows * self.columns > MOST_TILES:
            raise ValueError(
                f"a board has at least one row and one column and at most {MOST_TILES} tiles, "
                f"not {self.rows} x {self.columns}"
            )
        if self.fish is not None and not 1 <= self.fish <= MOST_FISH:
            raise ValueError(f"a tile has 1 to {MOST_FISH} fish, not {self.fish}")
        if isinstance(self.holes, int) and self.holes < 0:
            raise ValueError(f"there cannot be {self.holes} holes")
        if isinstance(self.holes, tuple):
            for row, col in self.holes:
                if not (0 <= row < self.rows and 0 <= col < self.columns):
                    size = f"{self.rows} x {self.columns}"
                    raise ValueError(f"the hole ({row}, {col}) is not on a board of {size}")


def penguins_each(seats: int) -> int:
    return 6 - seats


def make_board(config: Config, seats: int, random: Random) -> Rows:
    """The board of a new game. Unless it was given, all penguins fit on it."""
    if config.board is not None:
        return padded(config.board)
    cells = [(row, col) for row in range(config.rows) for col in range(config.columns)]
    penguins = penguins_each(seats) * seats
    holes = _holes(config, cells, len(cells) - penguins, random)
    tiles = len(cells) - len(holes)
    if tiles < penguins:
        raise ValueError(
            f"{config.rows} x {config.columns} with {len(holes)} holes leaves {tiles} tiles for the "
            f"{penguins} penguins of {seats} players; take a larger board or fewer holes"
        )
    return tuple(
        tuple(
            0 if (row, col) in holes else config.fish or random.randint(1, MOST_FISH) for col in range(config.columns)
        )
        for row in range(config.rows)
    )


def deal_colors(config: Config, seats: int, random: Random) -> tuple[str, ...]:
    """A colour for each seat."""
    return tuple(random.sample(COLORS, seats)) if config.colors == "random" else COLORS[:seats]


def padded(rows: Rows) -> Rows:
    """Rows of one length, holes added on the right."""
    width = max(map(len, rows))
    return tuple((*row, *[0] * (width - len(row))) for row in rows)


def _holes(config: Config, cells: list[tuple[int, int]], spare: int, random: Random) -> set[tuple[int, int]]:
    if isinstance(config.holes, tuple):
        return set(config.holes)
    count = config.holes
    if count is None:
        # A fifth at most: a board that is mostly holes is over before it begins.
        count = random.randint(0, max(0, min(spare, len(cells) // 5)))
    return set(random.sample(cells, min(count, len(cells))))


def _check_board(rows: Rows) -> None:
    width = max(map(len, rows), default=0)
    if not width or len(rows) * width > MOST_TILES:
        raise ValueError(f"a board has at least one tile and at most {MOST_TILES}")
    for number, row in enumerate(rows):
        for col, fish in enumerate(row):
            if not 0 <= fish <= MOST_FISH:
                raise ValueError(f"the tile ({number}, {col}) has {fish} fish, not 0 to {MOST_FISH}")
    if not any(map(any, rows)):
        raise ValueError("the board has no tile at all, only holes")
