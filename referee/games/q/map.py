"""The map: tiles on an unbounded grid of (row, column), and where each kind of tile fits beside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

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


class Map(msgspec.Struct, frozen=True, dict=True):
    """An immutable map; `put` gives the next one. Read it like a dict from (row, column) to `Tile`."""

    tiles: dict[Place, Tile]

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
        row, column = place
        around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        return [self.tiles[near] for near in around if near in self.tiles]

    def fits(self, tile: Tile, place: Place) -> bool:
        """Whether a tile may be put down there."""
        places, kinds = self._edge
        index = bisect_left(places, place)
        return index < len(places) and places[index] == place and bool(kinds[index] >> tile & 1)

    def places_for(self, tile: Tile) -> list[Place]:
        """Everywhere a tile fits, by row and then by column."""
        bit = 1 << tile
        places, kinds = self._edge
        return [place for place, fitting in zip(places, kinds, strict=True) if fitting & bit]

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
        grown = Map(self.tiles | {place: tile})
        places, kinds = self._edge[0].copy(), self._edge[1].copy()
        row, column = place
        for changed in (place, (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
            index = bisect_left(places, changed)
            if index < len(places) and places[index] == changed:
                del places[index], kinds[index]
            fitting = 0 if changed in grown.tiles else grown._fitting(changed)
            if fitting:
                places.insert(index, changed)
                kinds.insert(index, fitting)
        # The cached property of the new map, carried over because finding it afresh costs a walk over all tiles.
        grown.__dict__["_edge"] = (places, kinds)
        return grown

    @cached_property
    def _edge(self) -> tuple[list[Place], list[int]]:
        """The places where some tile fits, in order; and for each the kinds that do, as a set of bits.

        A place beside tiles where no kind fits is left out for good: more neighbours never let more in.
        """
        beside = {
            near
            for row, column in self.tiles
            for near in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
            if near not in self.tiles
        }
        places = sorted(place for place in beside if self._fitting(place))
        return places, [self._fitting(place) for place in places]

    def _fitting(self, place: Place) -> int:
        row, column = place
        at = self.tiles.get
        across = _BETWEEN[at((row, column - 1), _NOBODY)][at((row, column + 1), _NOBODY)]
        return across & _BETWEEN[at((row - 1, column), _NOBODY)][at((row + 1, column), _NOBODY)]
