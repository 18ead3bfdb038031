"""Random games of Fish for `python -m bench rules`: 8 x 8 tiles, two players, four penguins each."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from referee.games import fish


@lru_cache(maxsize=1)
def start() -> fish.State:
    """A new game whose players have been called for setup."""
    state = fish.game.setup(["a", "b"], fish.Config(rows=8, columns=8, holes=0), seed=1)
    return state.commit(None).commit(None)


def playout(seed: int) -> int:
    """Plays one game to its end and returns its plies, placements included."""
    draw = Random(seed).random
    state = start()
    plies = 0
    while actions := state.legal_moves():
        state = state.commit(actions[int(draw() * len(actions))])
        plies += 1
    return plies
