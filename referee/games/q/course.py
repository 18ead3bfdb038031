"""The JSON shapes of the course's own tests: tiles, maps, public and whole states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.q.config import Config
from referee.games.q.map import Map, Place
from referee.games.q.rules import Placement
from referee.games.q.state import State
from referee.games.q.tiles import Tile
from referee.games.q.view import View


def tile(data: Mapping[str, Any]) -> Tile:
    return Tile.of(data["shape"], data["color"])


def tiles(data: Sequence[Any]) -> list[Tile]:
    return [tile(each) for each in data]


def map(data: Sequence[Any]) -> Map:
    return Map({(row, column): tile(each) for row, *cells in data for column, each in cells})


def placement(data: Sequence[Any]) -> Placement:
    return tuple(((put["coordinate"]["row"], put["coordinate"]["column"]), tile(put["1tile"])) for put in data)


def state(data: Mapping[str, Any], players: Sequence[str], config: Config) -> State:
    """A whole state with these players on its seats; the first of them has the turn."""
    return State.start(
        players,
        config,
        map(data["map"]),
        tiles(data["tile*"]),
        [tiles(player["tile*"]) for player in data["players"]],
        [player["score"] for player in data["players"]],
    )


def view(data: Mapping[str, Any]) -> View:
    """A public state as its first player sees it. Seats have no names there, and hands of others no size."""
    first, *scores = data["players"]
    players = tuple(f"player {seat}" for seat in range(1 + len(scores)))
    return View(
        me=players[0],
        players=players,
        kicked=(),
        map=map(data["map"]),
        hand=tuple(tiles(first["tile*"])),
        pile=data["tile*"],
        scores=dict(zip(players, [first["score"], *scores], strict=True)),
        hand_sizes={players[0]: len(first["tile*"])},
        q_bonus=Config().q_bonus,
        finish_bonus=Config().finish_bonus,
        phase="playing",
        turn=1,
        packed=(),
    )


def tile_json(tile: Tile) -> dict[str, Any]:
    return {"color": tile.color, "shape": tile.shape}


def place_json(place: Place) -> dict[str, Any]:
    return {"row": place[0], "column": place[1]}


def placement_json(placement: Placement) -> list[Any]:
    return [{"coordinate": place_json(place), "1tile": tile_json(tile)} for place, tile in placement]


def map_json(map: Map) -> list[Any]:
    rows: dict[int, list[Any]] = {}
    for (row, column), tile in sorted(map.tiles.items()):
        rows.setdefault(row, []).append([column, tile_json(tile)])
    return [[row, *cells] for row, cells in rows.items()]
