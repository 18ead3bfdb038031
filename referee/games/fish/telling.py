"""A move of Fish in words, and who cannot act any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.games.fish.state import State


def told(before: State, action: Any, after: State) -> str:
    event = after.history[-1]
    if len(event.tiles) == 1:
        return f"puts a penguin on {event.tiles[0]}"
    start, end = event.tiles
    fish = after.scores()[event.player] - before.scores()[event.player]
    return f"goes from {start} to {end} and takes {fish} fish"


def out(state: State) -> tuple[str, ...]:
    """Those with penguins that stand fast, or with nowhere to put them; somebody's leaving may free them."""
    position = state.position
    if any(position.to_place):
        return () if position.free else tuple(_named(state, position.to_place))
    stuck = [all(not position.grid.near[cell] & position.free for cell in cells) for cells in position.penguins]
    return tuple(_named(state, stuck))


def _named(state: State, seats: Sequence[object]) -> list[str]:
    named = zip(state.players, seats, strict=True)
    return [player for player, chosen in named if chosen and player not in state.kicked]
