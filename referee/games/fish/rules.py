"""The game as the referee knows it: its seats, its settings, and how it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from referee.games.fish import saved
from referee.games.fish.config import Config, deal_colors, make_board, penguins_each
from referee.games.fish.grid import grid
from referee.games.fish.position import Position
from referee.games.fish.state import State
from referee.games.fish.views import free_cells


class Fish:
    """See `referee.games.game.Game`."""

    name = "fish"
    seats = range(2, 5)
    config = Config
    required = ("placement", "movement")
    optional = ("setup", "game_over", "kicked")

    def setup(self, players: Sequence[str], config: Config | None = None, seed: int = 0) -> State:
        """A new game; the first of the players, the youngest, begins."""
        names = tuple(players)
        if len(names) not in self.seats:
            raise ValueError(f"Fish is for 2 to 4 players, not {len(names)}")
        if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
            raise ValueError("the players of a game must have different names")
        config = config or Config()
        random = Random(seed)
        rows = make_board(config, len(names), random)
        fish = bytes(count for row in rows for count in row)
        nobody = ((),) * len(names)
        position = Position(
            grid(len(rows), len(rows[0])),
            fish,
            free_cells(fish, nobody),
            names,
            nobody,
            (penguins_each(len(names)),) * len(names),
            (0,) * len(names),
            seat=0,
        )
        return State(position, deal_colors(config, len(names), random))

    def load(self, data: Mapping[str, Any]) -> State:
        return saved.load(data)


game = Fish()
