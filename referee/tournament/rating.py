"""How strong each player is, judged from all results at once, and how sure that is.

The model is Plackett-Luce, which with two seats is Bradley-Terry: a game is a race in which each next place goes to a
player with a chance in proportion to its strength. Then i comes before j with the chance i/(i+j) whoever else is at
the table, so a game of five is read as what it says of each of its ten pairs (a composite likelihood). That costs a
little precision against the likelihood of whole rankings, makes the fit a matter of pairs, however many games there
are, and asks of the strengths just that they explain what everybody earned against its opponents.

A tie is half a win each way, as in Elo's own system: ties here are dead heats (equal scores, lost in the same round),
and 100 points apart means 64 % of the points whether or not a game knows ties. Who was kicked came after all who were
ranked; two who were kicked say nothing about each other.

Everybody is also taken to have won half a game and lost half a game against an imagined player of strength 0. That
weighs next to nothing beside real games, and keeps ratings finite where somebody won or lost everything, or where parts
of the field never met.

Intervals come from a bootstrap in which each game, resampled, counts not 0, 1, 2... times but by a weight of the
same mean and variance (exponential, Rubin's Bayesian bootstrap): games that ended alike then need one draw together, a
gamma variate, and the imagined halves are drawn along with the others, which is what widens the interval of a player
that never lost. Outcomes are counted and sorted first, so the order of games cannot matter, not even to the last bit.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter, mul, truediv

import msgspec

from referee.tournament.outcome import Outcome

_ELO = 400 / math.log(10)  # points for a factor of e in strength
_IMAGINED = 0.5  # games won against the imagined player, and as many lost
_SEED = 5
_EXACT = 1e-6  # natural units, like all strengths in here
_CLOSE = 1e-2  # Newton's last step; what is left after it is its square
_NEVER_PLAYED = _ELO * 2 * math.log(math.tan(0.975 * math.pi / 2))  # what the imagined halves alone would say
_LONGEST = 2.0  # farther than this from where it was measured, a curvature misleads
_STEPS = 200  # a handful do; this is for rounding that keeps the last one from being small

_Comparison = tuple[str, str, float]  # the points of the first against the second


class Rating(msgspec.Struct, frozen=True):
    """A strength on the Elo scale, where the field's mean is 0, with its 95 % interval."""

    value: float
    low: float
    high: float


class Tally:
    """How often each outcome occurred: all that a rating needs to know of the games."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[tuple[str, ...], ...]] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Count a match, unless it is void."""
        if outcome.void:
            return
        ranked = {player for tied in outcome.ranking for player in tied}
        kicked = sorted(player for player in outcome.seats if player not in ranked)
        self._counts[(tuple(kicked), *(tuple(sorted(tied)) for tied in outcome.ranking))] += 1

    def __iter__(self) -> Iterator[tuple[list[_Comparison], int]]:
        """Each outcome that says something, as its comparisons, and how often it occurred; in a fixed order."""
        for (kicked, *ranking), count in sorted(self._counts.items()):
            comparisons = [
                *((a, b, 0.5) for tied in ranking for a, b in combinations(tied, 2)),
                *((a, b, 1.0) for above, below in combinations([*ranking, kicked], 2) for a in above for b in below),
            ]
            if comparisons:
                yield comparisons, count


def rate(players: Iterable[str], tally: Tally) -> dict[str, Rating]:
    """Everybody's rating; who was never compared with anybody has the field's mean, and a very wide interval."""
    outcomes = list(tally)
    field = sorted({name for comparisons, _ in outcomes for a, b, _ in comparisons for name in (a, b)})
    ratings = {player: Rating(0.0, -_NEVER_PLAYED, _NEVER_PLAYED) for player in players}
    if not field:
        return ratings
    evidence = _Evidence(field, outcomes)
    fitted = evidence.fit(evidence.counts, [0.0] * len(field), _EXACT)
    tail = max(3, min(10, 30_000 // evidence.size))  # resamples beyond each end of an interval; fewer if costly
    draw = random.Random(_SEED).gammavariate
    resampled = [
        _centred(evidence.fit([draw(count, 1.0) for count in evidence.counts], fitted, _CLOSE))
        for _ in range(40 * tail - 1)
    ]
    # The fit has bent towards the very games that are resampled, the more so the fewer there are for each strength;
    # the factor 2 is what brings short tournaments, too, to 95 %.
    games = sum(count for _, count in outcomes)
    wider = math.sqrt(1 + 2 * len(field) / (games + 2 * len(field)))
    for player, value, spread in zip(field, _centred(fitted), zip(*resampled, strict=True), strict=True):
        ordered = sorted(spread)
        below, above = wider * (value - ordered[tail - 1]), wider * (ordered[-tail] - value)
        ratings[player] = Rating(_ELO * value, _ELO * (value - max(below, 0.0)), _ELO * (value + max(above, 0.0)))
    return ratings


def _centred(strengths: Sequence[float]) -> list[float]:
    mean = math.fsum(strengths) / len(strengths)
    return [strength - mean for strength in strengths]


class _Evidence:
    """Which outcomes bear on which pair, so that each weighting of them is fitted quickly.

    Players are numbered; the imagined one comes last.
    """

    def __init__(self, field: Sequence[str], outcomes: Sequence[tuple[list[_Comparison], int]]) -> None:
        number = {player: index for index, player in enumerate(field)}
        imagined = len(field)
        compared = [[(number[a], number[b], score) for a, b, score in comparisons] for comparisons, _ in outcomes]
        compared += [[pair] for i in range(imagined) for pair in ((i, imagined, 1.0), (imagined, i, 1.0))]
        self.counts = [*(float(count) for _, count in outcomes), *[_IMAGINED] * (2 * imagined)]
        pairs: dict[tuple[int, int], list[int]] = {}
        scores: list[dict[int, float]] = [{} for _ in range(imagined + 1)]
        for outcome, comparisons in enumerate(compared):
            for a, b, score in comparisons:
                pairs.setdefault((min(a, b), max(a, b)), []).append(outcome)
                scores[a][outcome] = scores[a].get(outcome, 0.0) + score
                scores[b][outcome] = scores[b].get(outcome, 0.0) + 1.0 - score
        met: list[dict[int, int]] = [{} for _ in range(imagined + 1)]  # opponents, and the number of the pair
        for pair, (a, b) in enumerate(pairs):
            met[a][b] = met[b][a] = pair
        # An index past the last outcome, of weight 0, is added to each: itemgetter gives no tuple for a single one.
        none = len(compared)
        self._pairs = [itemgetter(*found, none) for found in pairs.values()]
        self._scores = [(itemgetter(*score, none), [*score.values(), 0.0]) for score in scores[:imagined]]
        # Here there are two at least: somebody, or there would be nothing to rate, and the imagined one.
        self._met = [itemgetter(*opponents.values()) for opponents in met[:imagined]]
        self._opponents = [itemgetter(*opponents) for opponents in met[:imagined]]
        self.size = len(compared) + 2 * len(pairs)

    def fit(self, weights: Sequence[float], start: Sequence[float], tolerance: float) -> list[float]:
        """The strengths that explain the points best, by Newton's method; concave, so there is one answer."""
        weights = [*weights, 0.0]
        meetings = [sum(outcomes(weights)) for outcomes in self._pairs]
        games = [met(meetings) for met in self._met]
        points = [sum(map(mul, scores, outcomes(weights))) for outcomes, scores in self._scores]
        strengths = list(start)
        for _ in range(_STEPS):
            change = self._newton(games, points, strengths)
            step = max(map(abs, change))
            scale = _LONGEST / max(_LONGEST, step)
            strengths = [strength + scale * by for strength, by in zip(strengths, change, strict=True)]
            if step <= tolerance:
                break
        return strengths

    def _newton(self, games: list[tuple[float, ...]], points: list[float], strengths: list[float]) -> list[float]:
        """The change of strengths that Newton's method proposes."""
        odds = [*map(math.exp, strengths), 1.0]
        missing = []  # points that the strengths do not explain
        curvature = []
        for mine, opponents, met, earned in zip(odds, self._opponents, games, points, strict=False):
            chances = [mine / (mine + theirs) for theirs in opponents(odds)]
            expected = [*map(mul, met, chances)]
            missing.append(earned - sum(expected))
            curvature.append([much - much * chance for much, chance in zip(expected, chances, strict=True)])
        return self._solved(curvature, missing)

    def _solved(self, curvature: list[list[float]], missing: list[float]) -> list[float]:
        """The change whose effect, by the curvature, is what is missing; nearly, by conjugate gradients.

        The curvature of each pair is given for both; what a player's strength does to its own points is their sum.
        """
        own = [sum(row) for row in curvature]
        change = [0.0] * len(missing)
        residual = missing
        towards = search = [*map(truediv, residual, own)]
        size = sum(map(mul, residual, towards))
        enough = 1e-4 * size  # a hundredth of the error is left for the next of Newton's steps
        for _ in range(2 * len(missing)):
            if size <= enough:
                break
            known = [*search, 0.0]
            effect = [
                mass * at - sum(map(mul, row, opponents(known)))
                for mass, at, row, opponents in zip(own, search, curvature, self._opponents, strict=True)
            ]
            along = size / sum(map(mul, search, effect))
            change = [a + along * b for a, b in zip(change, search, strict=True)]
            residual = [a - along * b for a, b in zip(residual, effect, strict=True)]
            towards = [*map(truediv, residual, own)]
            before, size = size, sum(map(mul, residual, towards))
            search = [a + size / before * b for a, b in zip(towards, search, strict=True)]
        return change
