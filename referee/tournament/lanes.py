"""The lanes of a tournament: one process a core that plays its matches, each with the players' files in hand."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Sequence

import referee.lanes
from referee.lane import Trade
from referee.match import Entrant
from referee.tournament.match import Rules
from referee.tournament.stage import Job, Report, Stage


class Lanes(referee.lanes.Lanes[Job, Report]):
    """A match whose lane dies is played again; one that ends three is void."""

    def __init__(self, rules: Rules, entrants: Sequence[Entrant], count: int | None = None) -> None:
        import cloudpickle

        # Classes and functions go by value: a lane has not what they were defined in.
        packed = bytes(cloudpickle.dumps(list(entrants)))
        super().__init__(Trade(functools.partial(_stage, rules, packed), Job, Report), count)


def _stage(rules: Rules, packed: bytes, core: int) -> Stage:
    return Stage(rules, pickle.loads(packed), core)  # our own: what the supervisor packed
