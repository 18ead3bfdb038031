"""The 35 tiles: which ports each joins, turned any way round."""

from __future__ import annotations

from typing import NamedTuple

PORTS = tuple("ABCDEFGH")  # clockwise, two a side: AB north, CD east, EF south, GH west
TURNS = (0, 90, 180, 270)

_PAIRS = (
    "AE BF CH DG", "AE BF CG DH", "AF BE CH DG", "AE BD CG FH", "AH BC DE FG", "AE BC DH FG", "AE BC DG FH",
    "AD BG CF EH", "AD BF CG EH", "AD BE CH FG", "AD BE CG FH", "AD BC EH FG", "AC BH DF EG", "AC BH DE FG",
    "AC BG DF EH", "AC BG DE FH", "AC BF DH EG", "AC BF DG EH", "AC BE DH FG", "AC BE DG FH", "AC BD EH FG",
    "AC BD EG FH", "AB CH DG EF", "AB CH DF EG", "AB CH DE FG", "AB CG DH EF", "AB CG DF EH", "AB CG DE FH",
    "AB CF DH EG", "AB CF DG EH", "AB CE DH FG", "AB CE DG FH", "AB CD EH FG", "AB CD EG FH", "AB CD EF GH",
)  # fmt: skip
COUNT = len(_PAIRS)


class Tile(NamedTuple):
    """One of the 35 kinds of tile, by its index, turned clockwise by 0, 90, 180 or 270 degrees."""

    kind: int
    degrees: int


# A tile on the board is one small number: four times its kind, plus its quarter turns.
TILES = tuple(Tile(kind, degrees) for kind in range(COUNT) for degrees in TURNS)
CODES = {tile: code for code, tile in enumerate(TILES)}


def _joined(pairs: str, quarters: int) -> bytes:
    """For each port the one it is joined to, after so many quarter turns."""
    exits = [0] * 8
    for pair in pairs.split():
        # A quarter turn carries every port two places on.
        one, other = ((PORTS.index(pair[end]) + 2 * quarters) % 8 for end in (0, 1))
        exits[one], exits[other] = other, one
    return bytes(exits)


EXITS = tuple(_joined(pairs, quarters) for pairs in _PAIRS for quarters in range(4))


def exit_port(tile: Tile, port: str) -> str:
    """Where a path that enters `tile` at `port` leaves it."""
    return PORTS[EXITS[CODES[tile]][PORTS.index(port)]]


def pairs(tile: Tile) -> list[tuple[int, int]]:
    """The four paths of a tile, as port numbers."""
    return [(port, other) for port, other in enumerate(EXITS[CODES[tile]]) if port < other]


def least_turned(tile: Tile) -> Tile:
    """The same paths with the fewest degrees: some tiles look alike when turned."""
    exits = EXITS[CODES[tile]]
    turned = (Tile(tile.kind, degrees) for degrees in TURNS)
    return next(other for other in turned if EXITS[CODES[other]] == exits)
