"""Loads a saved state, and refuses what no game of Q could have saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from referee.games.q import plain
from referee.games.q.config import Config
from referee.games.q.map import Map
from referee.games.q.rules import LARGEST_HAND
from referee.games.q.state import VERSION, Stage, State
from referee.games.q.tiles import PlainTile, Tile
from referee.games.q.view import Entry

_Count = Annotated[int, Meta(ge=0)]


class _Saved(Struct, forbid_unknown_fields=True):
    """The fields of `State.save`, with the types JSON has."""

    game: Literal["q"]
    version: int
    q_bonus: _Count
    finish_bonus: _Count
    hand_size: _Count
    players: Annotated[tuple[str, ...], Meta(min_length=1, max_length=4)]
    kicked: tuple[str, ...]
    points: tuple[int, ...]
    hands: tuple[Annotated[tuple[PlainTile, ...], Meta(max_length=LARGEST_HAND)], ...]
    pile: tuple[PlainTile, ...]
    map: Annotated[tuple[plain.Put, ...], Meta(min_length=1)]
    turn: _Count
    stage: Stage
    waiting: tuple[_Count, ...]
    current: _Count
    drawn: _Count
    history: tuple[Entry, ...]
    round_start: _Count
    final: tuple[tuple[str, ...], ...]


def load(data: Mapping[str, Any]) -> State:
    """The state that `save` was called on; a ValueError says what is wrong with anything else."""
    if isinstance(data, Mapping) and data.get("game") == "q" and data.get("version") != VERSION:
        raise ValueError(f"this saved game of Q is not of version {VERSION}, the only one that can be read here")
    try:
        saved = msgspec.convert(data, _Saved)
    except msgspec.ValidationError as error:
        raise ValueError(f"this is no saved game of Q: {error}") from None
    for problem in _problems(saved):
        raise ValueError(f"this is no saved game of Q: {problem}")
    try:
        packed = tuple(entry.packed(saved.players) for entry in saved.history)
    except OverflowError:
        raise ValueError("this is no saved game of Q: a number in its history is too large") from None
    return State(
        players=saved.players,
        config=Config(q_bonus=saved.q_bonus, finish_bonus=saved.finish_bonus, hand_size=saved.hand_size),
        map=Map({place: Tile.of(*words) for place, words in saved.map}),
        pile=_tiles(saved.pile),
        hands=tuple(_tiles(hand) for hand in saved.hands),
        points=saved.points,
        stage=saved.stage,
        waiting=saved.waiting,
        current=saved.current,
        drawn=saved.drawn,
        turn=saved.turn,
        kicked=saved.kicked,
        history=saved.history,
        packed=packed,
        round_start=saved.round_start,
        final=saved.final,
    )


def _problems(saved: _Saved) -> Iterator[str]:
    live = {seat for seat, player in enumerate(saved.players) if player not in saved.kicked}
    if len(set(saved.players)) < len(saved.players):
        yield "two players have the same name"
    if len(set(saved.kicked)) < len(saved.kicked) or not set(saved.kicked) <= set(saved.players):
        yield "its kicked players are not among its players, or there twice"
    if not len(saved.players) == len(saved.hands) == len(saved.points):
        yield "it needs as many hands and points as players"
        return  # what follows looks at hands by seat
    if any(hand and seat not in live for seat, hand in enumerate(saved.hands)):
        yield "a kicked player holds tiles"
    if len({place for place, _ in saved.map}) < len(saved.map):
        yield "two tiles lie on one place"
    if saved.current >= len(saved.players) or (saved.stage in ("turn", "draw") and saved.current not in live):
        yield "nobody in the game has the turn"
        return
    if saved.drawn > (len(saved.hands[saved.current]) if saved.stage == "draw" else 0):
        yield "more tiles were drawn than are held"
    if len(set(saved.waiting)) < len(saved.waiting) or not set(saved.waiting) <= live:
        yield "somebody waits to be called who is not in the game, or twice"
    if bool(saved.waiting) != (saved.stage == "setup") and saved.stage != "end":
        yield "players wait to be called exactly while setting up or at the end"
    if saved.round_start > len(saved.history) or not {line.player for line in saved.history} <= set(saved.players):
        yield "its history is not that of its players"
    ranked = [player for rank in saved.final for player in rank]
    if len(set(ranked)) < len(ranked) or not set(ranked) <= set(saved.players) or (ranked and saved.stage != "end"):
        yield "its final ranks are not of its players, or come too early"
    if saved.stage == "end" and not {saved.players[seat] for seat in live} <= set(ranked):
        yield "somebody who stayed to the end is not ranked"


def _tiles(plain: tuple[PlainTile, ...]) -> tuple[Tile, ...]:
    return tuple(Tile.of(*words) for words in plain)
