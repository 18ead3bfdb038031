"""The hexagons of a board of some size: what lies next to what, and every straight line there is.

Cells are numbered in row-major order, and sets of cells are integers with a bit a cell. All of this depends
on the size alone, so it is worked out once and looked up ever after.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple


class Tile(NamedTuple):
    """A place on the board; odd rows lie half a tile further right."""

    row: int
    col: int

    def __str__(self) -> str:
        return f"({self.row}, {self.col})"


class Move(NamedTuple):
    """A penguin's way from one tile to another."""

    start: Tile
    end: Tile

    def __str__(self) -> str:
        return f"{self.start} to {self.end}"


class Line(NamedTuple):
    """A straight line between two cells; `path` holds every cell after the first, the last included."""

    move: Move
    start: int
    end: int
    path: int


def neighbours(row: int, col: int) -> tuple[Tile, ...]:
    """The six tiles around one, on the board or off it: N, NE, SE, S, SW, NW."""
    shift = row % 2
    return (
        Tile(row - 2, col),
        Tile(row - 1, col + shift),
        Tile(row + 1, col + shift),
        Tile(row + 2, col),
        Tile(row + 1, col - 1 + shift),
        Tile(row - 1, col - 1 + shift),
    )


class Grid:
    """The tables of one size of board."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns
        self.tiles = tuple(Tile(row, col) for row in range(rows) for col in range(columns))
        self.cells = {tile: cell for cell, tile in enumerate(self.tiles)}
        self.bits = tuple((1 << cell, tile) for cell, tile in enumerate(self.tiles))
        lines = [[self._lines(tile, way) for way in range(6)] for tile in self.tiles]
        # For each cell the lines out of it, those of one direction together, nearest end first.
        self.rays = tuple(
            tuple(tuple((1 << line.end, line.move) for line in ray) for ray in rays if ray) for rays in lines
        )
        self.near = tuple(sum(1 << ray[0].end for ray in rays if ray) for rays in lines)
        self.lines = {line.move: line for rays in lines for ray in rays for line in ray}

    def _lines(self, start: Tile, way: int) -> list[Line]:
        found = []
        path = 0
        tile = neighbours(*start)[way]
        while (end := self.cells.get(tile)) is not None:
            path |= 1 << end
            found.append(Line(Move(start, self.tiles[end]), self.cells[start], end, path))
            tile = neighbours(*tile)[way]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return grid, (self.rows, self.columns)  # a copy elsewhere uses the tables made there


@lru_cache(maxsize=32)
def grid(rows: int, columns: int) -> Grid:
    """The tables for boards of this size, always the same object."""
    return Grid(rows, columns)
