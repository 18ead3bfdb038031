"""The course's own JSON for boards: lists of [tile, colour, port, x, y] and [tile, x, y]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.games.tsuro.board import Position, empty
from referee.games.tsuro.rules import COLORS
from referee.games.tsuro.tiles import CODES, PORTS, Tile, least_turned

SIDE = 10


def position(pats: Iterable[list[Any]]) -> Position:
    """A board of the standard size; each colour has the seat of its place in `COLORS`."""
    board = empty(SIDE, SIDE, len(COLORS))
    tiles, avatars = bytearray(board.tiles), list(board.avatars)
    for tile, *avatar, x, y in pats:
        square = y * SIDE + x
        tiles[square] = CODES[Tile(*tile)]
        if avatar:
            color, port = avatar
            avatars[COLORS.index(color)] = square * 8 + PORTS.index(port)
    return Position(SIDE, SIDE, bytes(tiles), tuple(avatars))


def pats(board: Position) -> list[list[Any]]:
    """A board in that form: the squares row by row, those with avatars once for each."""
    found = []
    for y in range(board.height):
        for x in range(board.width):
            tile = board.tile((x, y))
            if tile is None:
                continue
            here = [seat for seat in board.alive if board.avatars[seat] >> 3 == y * board.width + x]
            shown = list(least_turned(tile))
            found += [avatar_pat(board, seat) for seat in here] or [[shown, x, y]]
    return found


def avatar_pat(board: Position, seat: int) -> list[Any]:
    """An avatar with the tile it stands on."""
    avatar = board.avatar(seat)
    tile = avatar and board.tile(avatar.square)
    if avatar is None or tile is None:
        raise ValueError(f"{COLORS[seat]} is not on the board")
    return [list(least_turned(tile)), COLORS[seat], avatar.port, *avatar.square]
