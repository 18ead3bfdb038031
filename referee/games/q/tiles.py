"""The 36 kinds of tile, six shapes in six colours, in the order the rules give them."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, get_args

Shape = Literal["star", "8star", "square", "circle", "clover", "diamond"]
Color = Literal["red", "green", "blue", "yellow", "orange", "purple"]
PlainTile = tuple[Shape, Color]

SHAPES: tuple[Shape, ...] = get_args(Shape)
COLORS: tuple[Color, ...] = get_args(Color)
COPIES = 30  # of each kind in a fresh pile


class Tile(IntEnum):
    """One kind of tile. A number, so tiles order by shape and then by colour, and a set of kinds fits in an int."""

    RED_STAR = 0
    GREEN_STAR = 1
    BLUE_STAR = 2
    YELLOW_STAR = 3
    ORANGE_STAR = 4
    PURPLE_STAR = 5
    RED_8STAR = 6
    GREEN_8STAR = 7
    BLUE_8STAR = 8
    YELLOW_8STAR = 9
    ORANGE_8STAR = 10
    PURPLE_8STAR = 11
    RED_SQUARE = 12
    GREEN_SQUARE = 13
    BLUE_SQUARE = 14
    YELLOW_SQUARE = 15
    ORANGE_SQUARE = 16
    PURPLE_SQUARE = 17
    RED_CIRCLE = 18
    GREEN_CIRCLE = 19
    BLUE_CIRCLE = 20
    YELLOW_CIRCLE = 21
    ORANGE_CIRCLE = 22
    PURPLE_CIRCLE = 23
    RED_CLOVER = 24
    GREEN_CLOVER = 25
    BLUE_CLOVER = 26
    YELLOW_CLOVER = 27
    ORANGE_CLOVER = 28
    PURPLE_CLOVER = 29
    RED_DIAMOND = 30
    GREEN_DIAMOND = 31
    BLUE_DIAMOND = 32
    YELLOW_DIAMOND = 33
    ORANGE_DIAMOND = 34
    PURPLE_DIAMOND = 35

    @classmethod
    def of(cls, shape: str, color: str) -> Tile:
        """The tile with this shape and colour; a ValueError for words that are neither."""
        tile = _BY_WORDS.get((shape, color))
        if tile is None:
            raise ValueError(f"there is no tile {color!r:.40} {shape!r:.40}")
        return tile

    @property
    def shape(self) -> Shape:
        return SHAPES[self // 6]

    @property
    def color(self) -> Color:
        return COLORS[self % 6]

    @property
    def plain(self) -> PlainTile:
        """The form that travels in answers, records and saved states."""
        return self.shape, self.color

    def __str__(self) -> str:
        return f"{self.color} {self.shape}"


KINDS: tuple[Tile, ...] = tuple(Tile)
_BY_WORDS: dict[tuple[str, str], Tile] = {tile.plain: tile for tile in KINDS}


def tile_of(value: object) -> Tile | None:
    """The tile that a typed or plain value stands for, or None. Looks into plain types only."""
    if type(value) is Tile:
        return value
    if (type(value) is tuple or type(value) is list) and len(value) == 2:
        shape, color = value
        if type(shape) is str and type(color) is str:
            return _BY_WORDS.get((shape, color))
    return None
