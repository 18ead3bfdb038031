"""Q: tiles of six shapes and six colours on a growing map. `from referee.games import q` is what a strategy imports."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from referee.games.game import Adapter, Illegal, Outcome
from referee.games.q import plain
from referee.games.q.config import Config
from referee.games.q.map import Map, Place
from referee.games.q.rules import EXCHANGE, PASS, Action, Placement, Put, is_q
from referee.games.q.setup import Q
from referee.games.q.state import State
from referee.games.q.telling import told
from referee.games.q.tiles import COLORS, KINDS, SHAPES, Tile
from referee.games.q.view import Entry, View
from referee.games.rehearsal import play_through

__all__ = [
    "COLORS", "EXCHANGE", "KINDS", "PASS", "SHAPES", "Action", "Config", "Entry", "Illegal", "Map", "Outcome",
    "Place", "Placement", "Put", "State", "Tile", "View", "adapter", "game", "is_q", "told",
]  # fmt: skip

game = Q()


@functools.cache
def adapter() -> Adapter:
    """How views of Q become a strategy's arguments, and its answers plain data."""
    views: dict[str, Any] = {
        "setup": View,
        "take_turn": View,
        "new_tiles": tuple[Tile, ...],
        "game_over": Outcome,
        "kicked": str,
    }
    return Adapter(views, plain.answer)


def rehearse() -> Callable[[], None]:
    """What a zygote does before the first worker, and returns for each worker to do."""
    return play_through(game, adapter())
