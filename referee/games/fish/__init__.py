"""Fish: penguins on melting ice, and all that a student's file or the referee needs of it."""

from __future__ import annotations

import functools
from collections.abc import Callable

from referee.games.fish.answers import plain
from referee.games.fish.config import Config
from referee.games.fish.grid import Move, Tile, neighbours
from referee.games.fish.position import Position
from referee.games.fish.rules import game
from referee.games.fish.state import State
from referee.games.fish.telling import out, told
from referee.games.fish.views import Event, Player, Public, View
from referee.games.game import Adapter, Illegal, Outcome
from referee.games.rehearsal import play_through

__all__ = [
    "Config", "Event", "Illegal", "Move", "Outcome", "Player", "Position", "Public", "State", "Tile", "View",
    "adapter", "game", "neighbours", "out", "told",
]  # fmt: skip


@functools.cache
def adapter() -> Adapter:
    """How a strategy in a box is spoken to."""
    views = {"setup": View, "placement": View, "movement": View, "game_over": Outcome, "kicked": str}
    return Adapter(views, plain)


def rehearse() -> Callable[[], None]:
    """What a zygote does before the first worker, and returns for each worker to do."""
    return play_through(game, adapter())
