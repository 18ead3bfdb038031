"""What a course gives points for: the checks of a rubric, each with its points, partial credit and visibility."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from referee.grading.located import Flaw

Points = Annotated[float, Meta(ge=0, le=1_000_000)]
Rate = Annotated[float, Meta(ge=0, le=1)]
Positive = Annotated[float, Meta(gt=0)]
Games = Annotated[int, Meta(ge=1, le=10_000)]


class Visibility(enum.StrEnum):
    """When a student sees how a check went."""

    VISIBLE = "visible"
    AFTER_DUE = "after-due"
    AFTER_PUBLISHED = "after-published"  # `referee publish COURSE`
    HIDDEN = "hidden"  # only that there is such a check is ever shown


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class RateBand(_Strict, frozen=True, kw_only=True):
    """Who wins at least this share of the games has these points; a tie is half a win."""

    rate: Rate
    points: Points


class SpeedBand(_Strict, frozen=True, kw_only=True):
    """Who needs at most this much CPU time for a move has these points."""

    ms: Positive
    points: Points


class MemoryBand(_Strict, frozen=True, kw_only=True):
    """Who needs at most this much memory has these points."""

    mb: Positive  # of 1024 * 1024 bytes, as everywhere in limits
    points: Points


class PlaceBand(_Strict, frozen=True, kw_only=True):
    """Who is among the first so many, or the first so many in a hundred, has these points."""

    points: Points
    top: Annotated[int, Meta(ge=1)] | None = None
    top_percent: Annotated[float, Meta(gt=0, le=100)] | None = None

    def __post_init__(self) -> None:
        if (self.top is None) == (self.top_percent is None):
            raise Flaw("a band of places has either `top` or `top_percent`")

    def includes(self, place: int, students: int) -> bool:
        if self.top is not None:
            return place <= self.top
        assert self.top_percent is not None
        return place <= max(1, math.floor(students * self.top_percent / 100 + 1e-9))


class AnswerBand(_Strict, frozen=True, kw_only=True):
    """Answers that are not the best, and what they are worth all the same."""

    answers: Annotated[tuple[Any, ...], Meta(min_length=1)]
    points: Points


class _Check(_Strict, frozen=True, kw_only=True, tag_field="kind"):
    points: Points
    name: str = ""  # empty: see `title`
    visibility: Visibility = Visibility.VISIBLE

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)

    @property
    def title(self) -> str:
        """What people call it; no two checks of a rubric share one."""
        return self.name or self.kind


class Admitted(_Check, frozen=True, kw_only=True, tag="admitted"):
    """It loads and plays legally."""

    loads: Points = 0  # for a file that loads, and does not play legally

    def __post_init__(self) -> None:
        if self.loads > self.points:
            raise Flaw(f"`loads` gives {self.loads:g} of {self.points:g} points; it is a part of them", "loads")


class Beats(_Check, frozen=True, kw_only=True, tag="beats"):
    """It wins against an opponent; without bands, half of the games are enough for all points."""

    opponent: str  # a reference strategy, with parameters as in minimax:depth=2, or a path beside the rubric
    games: Games = 40
    bands: tuple[RateBand, ...] = ()

    def __post_init__(self) -> None:
        if not self.bands:
            msgspec.structs.force_setattr(self, "bands", (RateBand(rate=0.5, points=self.points),))
        _require_ascending([band.rate for band in self.bands], "rate")
        _require_points(self.points, [band.points for band in self.bands], best_last=True)

    @property
    def title(self) -> str:
        return self.name or f"beats {self.opponent}"

    def earned(self, rate: float) -> float:
        return max((band.points for band in self.bands if rate >= band.rate), default=0.0)


class Scenario(_Check, frozen=True, kw_only=True, tag="scenario"):
    """In a saved state, it gives one of the answers that are listed in their plain forms."""

    state: str  # a path beside the rubric, of a file that `referee replay --state` wrote
    answers: Annotated[tuple[Any, ...], Meta(min_length=1)]
    partial: tuple[AnswerBand, ...] = ()

    def __post_init__(self) -> None:
        for number, band in enumerate(self.partial):
            if band.points > self.points:
                sentence = f"these answers give {band.points:g} points, and the best of all only {self.points:g}"
                raise Flaw(sentence, "partial", number, "points")

    @property
    def title(self) -> str:
        return self.name or f"scenario {self.state}"


class Speed(_Check, frozen=True, kw_only=True, tag="speed"):
    """It answers fast: CPU time a move at a percentile of all its moves."""

    bands: Annotated[tuple[SpeedBand, ...], Meta(min_length=1)]
    percentile: Annotated[float, Meta(gt=0, le=100)] = 95

    def __post_init__(self) -> None:
        _require_ascending([band.ms for band in self.bands], "ms")
        _require_points(self.points, [band.points for band in self.bands], best_last=False)

    def earned(self, ms: float) -> float:
        return max((band.points for band in self.bands if ms <= band.ms), default=0.0)


class Memory(_Check, frozen=True, kw_only=True, tag="memory"):
    """It needs little memory at its peak."""

    bands: Annotated[tuple[MemoryBand, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        _require_ascending([band.mb for band in self.bands], "mb")
        _require_points(self.points, [band.points for band in self.bands], best_last=False)

    def earned(self, mb: float) -> float:
        return max((band.points for band in self.bands if mb <= band.mb), default=0.0)


class Placing(_Check, frozen=True, kw_only=True, tag="placing"):
    """It does well in the tournament of the class."""

    bands: Annotated[tuple[PlaceBand, ...], Meta(min_length=1)]
    games: Games = 10  # of each pairing

    def __post_init__(self) -> None:
        for key in ("top", "top_percent"):
            _require_ascending([getattr(band, key) for band in self.bands], key)
        _require_points(self.points, [band.points for band in self.bands], best_last=False)

    def earned(self, place: int, students: int) -> float:
        """What a place in a class of so many is worth; places are counted from 1."""
        return max((band.points for band in self.bands if band.includes(place, students)), default=0.0)


Check: TypeAlias = Admitted | Beats | Scenario | Speed | Memory | Placing


class Rubric(_Strict, frozen=True, kw_only=True):
    """All checks, and what they add up to."""

    total: Points
    checks: tuple[Check, ...] = msgspec.field(default=(), name="check")

    def __post_init__(self) -> None:
        titles: dict[str, int] = {}
        for number, check in enumerate(self.checks):
            if check.title in titles:
                raise Flaw(f"two checks are called {check.title!r}; give each its own `name`", "check", number)
            titles[check.title] = number
        points = sum(check.points for check in self.checks)
        if not math.isclose(points, self.total, abs_tol=1e-6):
            raise Flaw(f"the checks add up to {points:g} points, not to the total of {self.total:g}", "total")


def _require_ascending(limits: Sequence[float | None], key: str) -> None:
    before: float | None = None
    for number, limit in enumerate(limits):
        if limit is None:
            continue
        if before is not None and limit <= before:
            raise Flaw(f"bands stand in ascending order: {limit:g} cannot follow {before:g}", "bands", number, key)
        before = limit


def _require_points(all_points: float, bands: Sequence[float], *, best_last: bool) -> None:
    """Each band is worth more than the ones that are easier, and the hardest is worth everything."""
    ordered = list(enumerate(bands)) if best_last else list(enumerate(bands))[::-1]
    before = 0.0
    for number, points in ordered:
        if points > all_points:
            raise Flaw(f"this band gives {points:g} points, and the check only has {all_points:g}",
                       "bands", number, "points")  # fmt: skip
        if number != ordered[0][0] and points <= before:
            raise Flaw(f"this band is harder than one that gives {before:g} points, and gives only {points:g}",
                       "bands", number, "points")  # fmt: skip
        before = points
    if before < all_points:
        raise Flaw(f"the best band gives {before:g} of the check's {all_points:g} points; nobody could earn the rest",
                   "bands", ordered[-1][0], "points")  # fmt: skip
