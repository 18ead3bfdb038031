"""The game of Tsuro as the referee knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.tsuro.board import empty
from referee.games.tsuro.config import Config, configured
from referee.games.tsuro.saved import read
from referee.games.tsuro.state import State


class Tsuro:
    """Three to five players, oldest first."""

    name = "tsuro"
    seats = range(3, 6)
    config = Config
    required = ("initial_placement", "move")
    optional = ("setup", "game_over", "kicked")
    through = 2  # ranks of a table that go on in a knock-out; games that do not say send on the first alone

    def setup(self, players: Sequence[str], config: Any = None, seed: int = 0) -> State:
        self._seated(players)
        chosen = configured(config)
        count = len(players)
        # Every first tile takes itself and two neighbours of the edge from those who come after.
        edge = 2 * (chosen.width + chosen.height) - 4
        if edge < 3 * (count - 1) + 1:
            raise ValueError(f"a board of {chosen.width} x {chosen.height} is too small for {count} players")
        position = empty(chosen.width, chosen.height, count)
        return State(tuple(players), chosen, seed, position, fell=(None,) * count)

    def load(self, data: Mapping[str, Any]) -> State:
        saved = read(data)
        start = self.setup(saved.players, saved.config, saved.seed)
        state = State(
            start.players, start.config, start.seed, saved.position(), saved.stage, saved.seat, saved.turn,
            saved.round, saved.dealt, saved.fell, saved.kicked, saved.history, saved.then,
        )  # fmt: skip
        if not 0 <= state.seat <= len(state.players) or state.settled() != state:
            raise ValueError("the player whose seat is given cannot be the one to be asked now")
        return state

    def _seated(self, players: Sequence[str]) -> None:
        if len(players) not in self.seats:
            raise ValueError(f"Tsuro is for 3 to 5 players, not {len(players)}")
        if not all(isinstance(player, str) for player in players):
            raise ValueError("players are given by name")
        if len(set(players)) != len(players):
            raise ValueError("two players have the same name")
