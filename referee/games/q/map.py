"""The map: tiles on an unbounded grid of (row, column), and where each kind of tile fits beside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import msgspec

from referee.games.q.tiles import KINDS, Tile

Place = tuple[int, int]  # row, column; up and left are negative

_NOBODY = len(KINDS)  # stands for "no tile" in the table below
_EVERY_KIND = (1 << len(KINDS)) - 1


def _sharing_with_both(one: int, other: int) -> int:
    """The kinds that may lie between two tiles of a line, as a set of bits: all of one shape or all of one colour."""
    tiles = [tile for tile in (one, other) if tile != _NOBODY]
    if not tiles:
        return _EVERY_KIND
    return sum(
        1 << kind
        for kind in KINDS
        if all(kind // 6 == tile // 6 for tile in tiles) or all(kind % 6 == tile % 6 for tile in tiles)
    )


_BETWEEN = [[_sharing_with_both(one, other) for other in range(_NOBODY + 1)] for one in range(_NOBODY + 1)]


class Map(msgspec.Struct, frozen=True, array_like=True):
    """An immutable map; `put` gives the next one. Read it like a dict from (row, column) to `Tile`."""

    tiles: dict[Place, Tile]
    # Where some tile fits, by row and then by column; and for each place the kinds that do, as a set of bits.
    # Both travel with the tiles they follow from, because finding them afresh is a walk over all of those.
    edge: list[Place] = []
    fitting: list[int] = []

    def __post_init__(self) -> None:
        if self.edge:
            return
        # A place beside tiles where no kind fits is left out for good: more neighbours never let more in.
        for place in sorted({near for tile in self.tiles for near in _around(tile)}):
            if kinds := self._kinds(place):
                self.edge.append(place)
                self.fitting.append(kinds)

    def __repr__(self) -> str:
        return f"Map(tiles={self.tiles})"

    def __getitem__(self, place: Place) -> Tile:
        return self.tiles[place]

    def __contains__(self, place: object) -> bool:
        return place in self.tiles

    def __iter__(self) -> Iterator[Place]:
        return iter(self.tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    def get(self, place: Place) -> Tile | None:
        return self.tiles.get(place)

    def neighbours(self, place: Place) -> list[Tile]:
        """The tiles that share a side with a place."""
        return [self.tiles[near] for near in _around(place) if near in self.tiles]

    def fits(self, tile: Tile, place: Place) -> bool:
        """Whether a tile may be put down there."""
        index = bisect_left(self.edge, place)
        return index < len(self.edge) and self.edge[index] == place and bool(self.fitting[index] >> tile & 1)

    def places_for(self, tile: Tile) -> list[Place]:
        """Everywhere a tile fits, by row and then by column."""
        return [place for place, _ in self.open_to(1 << tile)]

    def open_to(self, kinds: int) -> list[tuple[Place, int]]:
        """Everywhere one of a set of kinds fits, by row and then by column, with those of the set that do."""
        return [(place, those) for place, fits in zip(self.edge, self.fitting, strict=True) if (those := fits & kinds)]

    def segment(self, place: Place, down: bool) -> list[Place]:
        """The unbroken run of tiles through a place, along its column (`down`) or along its row."""
        step_row, step_column = (1, 0) if down else (0, 1)
        row, column = place
        while (row - step_row, column - step_column) in self.tiles:
            row, column = row - step_row, column - step_column
        run = []
        while (row, column) in self.tiles:
            run.append((row, column))
            row, column = row + step_row, column + step_column
        return run

    def put(self, place: Place, tile: Tile) -> Map:
        """The map with one more tile. Whether it fits is for the caller to know."""
        grown = Map(self.tiles | {place: tile}, self.edge.copy(), self.fitting.copy())
        edge, fitting = grown.edge, grown.fitting
        for near in (place, *_around(place)):
            kinds = grown._kinds(near)
            index = bisect_left(edge, near)
            if index < len(edge) and edge[index] == near:
                if kinds:
                    fitting[index] = kinds
                else:
                    del edge[index], fitting[index]
            elif kinds:
                edge.insert(index, near)
                fitting.insert(index, kinds)
        return grown

    def _kinds(self, place: Place) -> int:
        """The kinds that fit at a place beside tiles."""
        at = self.tiles.get
        if place in self.tiles:
            return 0
        row, column = place
        across = _BETWEEN[at((row, column - 1), _NOBODY)][at((row, column + 1), _NOBODY)]
        return across & _BETWEEN[at((row - 1, column), _NOBODY)][at((row + 1, column), _NOBODY)]


def _around(place: Place) -> tuple[Place, Place, Place, Place]:
    row, column = place
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)
