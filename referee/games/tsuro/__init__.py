"""Tsuro: the rules, and all that a student's file or the referee needs of them."""

from __future__ import annotations

import functools
from collections.abc import Callable

from referee.games.game import Adapter, Illegal, Outcome
from referee.games.rehearsal import play_through
from referee.games.tsuro.actions import Placement, plain
from referee.games.tsuro.board import EMPTY, OFF, Avatar, Option, Position, Square, grid
from referee.games.tsuro.config import Config
from referee.games.tsuro.game import Tsuro
from referee.games.tsuro.history import Entry, Kicked, Moved, Placed
from referee.games.tsuro.rules import COLORS, legal_options
from referee.games.tsuro.state import Public, State
from referee.games.tsuro.telling import out, told
from referee.games.tsuro.tiles import PORTS, TILES, TURNS, Tile, exit_port, least_turned
from referee.games.tsuro.views import View

__all__ = [
    "COLORS", "EMPTY", "OFF", "PORTS", "TILES", "TURNS", "Avatar", "Config", "Entry", "Illegal", "Kicked", "Moved",
    "Option", "Outcome", "Placed", "Placement", "Position", "Public", "Square", "State", "Tile", "Tsuro", "View",
    "adapter", "exit_port", "game", "grid", "least_turned", "legal_options", "out", "told",
]  # fmt: skip

game = Tsuro()


@functools.cache
def adapter() -> Adapter:
    """What carries views into a box and answers out of it."""
    views = {"setup": View, "initial_placement": View, "move": View, "game_over": Outcome, "kicked": str}
    return Adapter(views, plain)


def rehearse() -> Callable[[], None]:
    """What a zygote does before the first worker, and returns for each worker to do."""
    return play_through(game, adapter())
