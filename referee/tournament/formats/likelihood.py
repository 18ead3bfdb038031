"""How much likelier one average makes what was seen than another does, whatever the distribution around it.

Nobody knows how often games are drawn, or how much a pair of games on one board has in common. So for each of the
two averages the distribution that has this average and makes the observations likeliest is taken, and the two are
compared (the generalised likelihood ratio; Li, Liu and Ying 2014; Van den Bergh for pairs of games).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

# What a pair of games can give.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

# Every result is taken to be possible, if hardly: otherwise nothing could be said of a player who always wins.
_HARDLY = 1e-3


def log_ratio(scores: Mapping[float, int], average0: float, average1: float) -> float:
    """The logarithm of how much likelier these scores are on average1 than on average0."""
    if not any(scores.values()):
        return 0.0
    seen = {score: scores.get(score, 0) or _HARDLY for score in PAIR_SCORES}
    one, other = _likeliest(seen, average1), _likeliest(seen, average0)
    return sum(times * log(one[score] / other[score]) for score, times in seen.items())


def _likeliest(seen: Mapping[float, float], average: float) -> dict[float, float]:
    """The distribution of this average under which what was seen is likeliest.

    With a Lagrange multiplier t for the average it is, up to a factor, seen / (1 + t * (score - average)), where t
    makes the sum of (score - average) times that zero. The sum falls with t, from plus to minus infinity between the
    values that make a denominator zero, so halving finds it.
    """
    low, high = -1 / (max(seen) - average), 1 / (average - min(seen))
    total = sum(seen.values())
    while low < (t := (low + high) / 2) < high:
        if sum(times * (score - average) / (1 + t * (score - average)) for score, times in seen.items()) > 0:
            low = t
        else:
            high = t
    return {score: times / total / (1 + t * (score - average)) for score, times in seen.items()}
