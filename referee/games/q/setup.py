"""Sets up a game of Q: checks the table, shuffles, puts down the first tile and deals."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.games.q.config import Config
from referee.games.q.map import Map
from referee.games.q.saved import load
from referee.games.q.state import State
from referee.games.q.tiles import COPIES, KINDS, Tile


class Q:
    """The rules of Q, as the referee knows a game."""

    name = "q"
    seats = range(2, 5)
    config = Config
    required = ("take_turn",)
    optional = ("setup", "new_tiles", "game_over", "kicked")

    def setup(self, players: Sequence[str], config: Config | None = None, seed: int = 0) -> State:
        if len(players) not in self.seats:
            raise ValueError(f"Q is played by 2 to 4 players, not by {len(players)}")
        if len(set(players)) < len(players):
            raise ValueError("two players have the same name")
        config = _valid(config or Config())
        if config.state is not None:
            return _resumed(players, config, config.state)
        if config.pile is not None:
            pile = [Tile.of(*words) for words in config.pile]
        else:
            pile = [tile for tile in KINDS for _ in range(COPIES)]
            random.Random(seed).shuffle(pile)
        return _dealt(players, replace(config, pile=None), pile)

    def load(self, data: Mapping[str, Any]) -> State:
        return load(data)


def _valid(config: Config) -> Config:
    """A struct made in Python has not been checked by anyone."""
    try:
        return msgspec.convert(msgspec.to_builtins(config), Config)
    except msgspec.ValidationError as error:
        raise ValueError(f"this is no configuration of Q: {error}") from None


def _dealt(players: Sequence[str], config: Config, pile: list[Tile]) -> State:
    size = config.hand_size
    dealt = 1 + size * len(players)
    if len(pile) < dealt:
        raise ValueError(f"{len(players)} hands of {size} and the first tile take {dealt} tiles; there are {len(pile)}")
    hands = [pile[start : start + size] for start in range(1, dealt, size)]
    return State.start(players, config, Map({(0, 0): pile[0]}), pile[dealt:], hands, [0] * len(players))


def _resumed(players: Sequence[str], config: Config, saved: Mapping[str, Any]) -> State:
    """A saved state with these players on its seats, who are set up before it goes on."""
    if config.pile is not None:
        raise ValueError("a saved state brings its own pile: give one or the other")
    state = load(saved)
    if state.is_over:
        raise ValueError("the saved game is over")
    return state.reseated(players)
