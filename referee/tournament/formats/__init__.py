"""The ways to hold a tournament, by name: each a generator of rounds from the outcomes of those before.

A format is deterministic: the same players and the same outcomes give the same pairings, so that an interrupted
tournament goes on where it was. A void outcome counts for nothing, for nobody. Where a format returns places, the
first of them are the winners: an empty set when everybody was kicked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb

from referee.tournament.formats.knockout import knockout
from referee.tournament.formats.plan import Plan
from referee.tournament.formats.round_robin import gauntlet, round_robin
from referee.tournament.formats.sprt import sprt
from referee.tournament.formats.swiss import swiss
from referee.tournament.outcome import Format

FORMATS: Mapping[str, Callable[[Sequence[str], Plan], Format]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "knockout": knockout,
    "sprt": sprt,
}



def expected(format: str, players: int, plan: Plan) -> int:
    """How many matches there will be, where that is known from the start; else 0."""
    if format == "round-robin":
        return comb(players, plan.seats) * plan.games
    return comb(players - 1, plan.seats - 1) * plan.games if format == "gauntlet" else 0


__all__ = ["FORMATS", "Plan", "expected"]
