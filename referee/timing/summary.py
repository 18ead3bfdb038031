"""What times say, and how sure that is: median, 95th percentile and greatest, and which of two files is faster."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

_RESAMPLES = 1000
_SEED = 95  # the same times always have the same intervals
# Student's t, two-sided 95 %, for one degree of freedom and more; beyond these it hardly changes.
_STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
_NO_TIME = 1e-9  # seconds, what the clock tells apart: a ratio needs more than none

# CPU seconds by position, one a repeat.
Times = dict[str, Annotated[list[float], msgspec.Meta(min_length=1)]]


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval, by the bootstrap."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Estimate:
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


class Figures(msgspec.Struct, frozen=True):
    """CPU seconds a move, over so many positions."""

    positions: int
    median: Estimate
    p95: Estimate
    max: Estimate

    @classmethod
    def of(cls, times: Sequence[float]) -> Figures:
        return cls(len(times), estimate(times, statistics.median), estimate(times, _p95), estimate(times, max))


class Comparison(msgspec.Struct, frozen=True):
    """How many times as long one file takes as the other, position by position."""

    faster: str
    slower: str
    ratio: Estimate

    @property
    def differs(self) -> bool:
        return self.ratio.low > 1

    def __str__(self) -> str:
        if self.differs:
            return f"{self.faster} is {shown(self.ratio)} faster than {self.slower}"
        return f"{self.faster} and {self.slower}: no difference beyond the noise, {shown(self.ratio)}"


def estimate(values: Sequence[float], of: Callable[[Sequence[float]], float]) -> Estimate:
    """A figure of some values, and where it would lie for others like them."""
    chance = random.Random(_SEED)
    resampled = sorted(of(chance.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    tail = _RESAMPLES // 40
    return Estimate(of(values), resampled[tail], resampled[-1 - tail])


def ratio(slower: Times, faster: Times) -> Estimate | None:
    """How many times as long the first takes, as a geometric mean over what both have; None if that is nothing.

    Whether other positions would say the same, the bootstrap tells. What one repeat, a worker's place in memory or a
    busy neighbour does to all positions at once it cannot see; so what the repeats differ by is added.
    """
    pairs = [(slower[key], faster[key]) for key in slower if key in faster]
    if not pairs:
        return None
    found = estimate([_logarithm(statistics.median(a), statistics.median(b)) for a, b in pairs], statistics.fmean)
    repeats = min(min(len(a), len(b)) for a, b in pairs)
    wobble = _wobble([statistics.fmean(_logarithm(a[at], b[at]) for a, b in pairs) for at in range(repeats)])
    low = found.value - math.hypot(found.value - found.low, wobble)
    high = found.value + math.hypot(found.high - found.value, wobble)
    return Estimate(math.exp(found.value), math.exp(low), math.exp(high))


def compared(first: str, times: Times, second: str, others: Times) -> Comparison | None:
    """None if no position was answered by both."""
    found = ratio(others, times)
    if found is None:
        return None
    if found.value >= 1:
        return Comparison(first, second, found)
    return Comparison(second, first, Estimate(1 / found.value, 1 / found.high, 1 / found.low))


def medians(times: Times) -> dict[str, float]:
    """One time a position: the middle of its repeats."""
    return {key: statistics.median(repeats) for key, repeats in times.items()}


def spread(values: Sequence[float]) -> float:
    """How far the middle half of some values lies apart, as a share of their median."""
    if len(values) < 2:
        return 0.0
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / middle if middle else 0.0


def shown(ratio: Estimate) -> str:
    """As in `2.1x (1.9-2.3)`; of what is close to 1, or a hundred and more, as many digits as tell something."""
    digits = 2 if ratio.value < 1.95 else 1 if ratio.value < 100 else 0
    return f"{ratio.value:.{digits}f}x ({ratio.low:.{digits}f}-{ratio.high:.{digits}f})"


def _logarithm(a: float, b: float) -> float:
    return math.log(max(a, _NO_TIME) / max(b, _NO_TIME))


def _wobble(repeats: Sequence[float]) -> float:
    """How far the mean of some repeats may be off; of a single one nobody knows."""
    if len(repeats) < 2:
        return 0.0
    freedom = min(len(repeats) - 1, len(_STUDENT))
    return _STUDENT[freedom - 1] * statistics.stdev(repeats) / math.sqrt(len(repeats))


def _p95(values: Sequence[float]) -> float:
    """Between the two values that it falls between."""
    ordered = sorted(values)
    place = 0.95 * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
