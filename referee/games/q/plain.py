"""Tiles, placements and answers as plain data: what travels in frames, histories, records and saved games."""

from __future__ import annotations

from typing import Any

from referee.games.q import rules
from referee.games.q.map import Place
from referee.games.q.tiles import PlainTile, Tile

Put = tuple[Place, PlainTile]
Placement = tuple[Put, ...]


def placement(puts: rules.Placement) -> Placement:
    return tuple([(place, tile.plain) for place, tile in puts])


def answer(method: str, value: Any) -> Any:
    """A strategy's answer with its tiles as words; what is no placement is passed on for others to judge."""
    if method != "take_turn":
        return None
    if type(value) is tuple or type(value) is list:
        return [_put(put) for put in value]
    return value


def _put(put: Any) -> Any:
    if (type(put) is tuple or type(put) is list) and len(put) == 2 and type(put[1]) is Tile:
        return [put[0], put[1].plain]
    return put
