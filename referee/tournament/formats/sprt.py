"""Is the new version better than the old? A head-to-head that stops as soon as the answer is certain.

The first player is the new version, the second the old one; others fill the table where the game needs more seats.
A deal is played twice, the two with their seats swapped, and the pair of games is one observation: what the board
gives to one of the seats is in both halves and cancels. The test is Wald's sequential probability ratio test of
"leads by elo1" against "leads by elo0", generalised to pairs of games as `likelihood` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count, islice
from math import log
from typing import Literal

import msgspec

from referee.tournament.formats.likelihood import log_ratio
from referee.tournament.formats.plan import Plan
from referee.tournament.formats.seating import circular, turned
from referee.tournament.outcome import Format, Outcome, Pairing

# The answer is looked for between rounds: enough games to keep some lanes busy, few enough to stop early.
_PAIRS = 4


class Decision(msgspec.Struct, frozen=True):
    """What the games say so far, and how surely: past `upper` the new version is better, past `lower` it is not."""

    answer: Literal["better", "not better", "undecided"]
    llr: float
    lower: float
    upper: float
    games: int  # that count


def sprt(players: Sequence[str], plan: Plan) -> Format:
    """Rounds in which everybody has every seat equally often, until the answer is certain or the games are used up."""
    plan.require_a_table(players)
    pairs = (_pair(players, plan.seats, number) for number in count())
    left = -(-plan.games // 2)
    # Whole turns of the table, and at least as many pairs as a round should have.
    size = -(-_PAIRS // plan.seats) * plan.seats
    scores = Counter[float]()
    while left > 0 and _decision(scores, plan).answer == "undecided":
        matches = [match for pair in islice(pairs, min(size, left)) for match in pair]
        left -= size
        scores += _scores((yield matches), players[0], players[1])
    return None


def judged(outcomes: Sequence[Outcome], plan: Plan) -> Decision:
    """The answer of all outcomes of such a tournament, in their order; the first game has the new version and the
    old one in its first two seats."""
    return _decision(_scores(outcomes, *outcomes[0].seats[:2]) if outcomes else Counter(), plan)


def _pair(players: Sequence[str], seats: int, number: int) -> tuple[Pairing, Pairing]:
    """Two games of one deal; the next pair turns the table, and brings in others where there are more than seats."""
    new, old, *others = players
    swap = {new: old, old: new}
    fill = [others[(number + place) % len(others)] for place in range(seats - 2)]
    table = turned(circular([new, old, *fill], number // seats), number)
    return Pairing(table, number), Pairing(tuple(swap.get(player, player) for player in table), number)


def _scores(outcomes: Sequence[Outcome], new: str, old: str) -> Counter[float]:
    """How many pairs of games gave the new version which part of their points; a void game voids its pair."""
    return Counter(
        (_score(one, new, old) + _score(other, new, old)) / 2
        for one, other in zip(outcomes[::2], outcomes[1::2], strict=False)
        if not one.void and not other.void
    )


def _score(outcome: Outcome, new: str, old: str) -> float:
    """Between these two alone, as if nobody else had sat there; when both were kicked, neither was better."""
    alone = msgspec.structs.replace(outcome, seats=(new, old)).points()
    return (1 + alone[new] - alone[old]) / 2


def _decision(scores: Counter[float], plan: Plan) -> Decision:
    lower, upper = log(plan.beta / (1 - plan.alpha)), log((1 - plan.beta) / plan.alpha)
    llr = log_ratio(scores, _expected(plan.elo0), _expected(plan.elo1))
    answer: Literal["better", "not better", "undecided"]
    answer = "better" if llr >= upper else "not better" if llr <= lower else "undecided"
    return Decision(answer, llr, lower, upper, 2 * scores.total())


def _expected(elo: float) -> float:
    """The points a game that a lead in Elo means."""
    return float(1 / (1 + 10 ** (-elo / 400)))
