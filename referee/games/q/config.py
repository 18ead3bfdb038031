"""How a game of Q can be configured."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from referee.games.q.rules import LARGEST_HAND
from referee.games.q.tiles import PlainTile

_Bonus = Annotated[int, Meta(ge=0, le=1_000_000)]


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every field has its default; a given pile is dealt in its order, a given state is played on from."""

    q_bonus: _Bonus = 8  # for a line of exactly six tiles with all shapes or all colours
    finish_bonus: _Bonus = 4  # for placing the whole hand
    hand_size: Annotated[int, Meta(ge=1, le=LARGEST_HAND)] = 6
    pile: tuple[PlainTile, ...] | None = None  # first the tile that goes on the map, then the hands, then the rest
    state: dict[str, Any] | None = None  # as `save` gave it; it brings its own bonuses, hands and pile
