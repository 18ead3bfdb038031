"""What bands give for what was measured."""

from __future__ import annotations

import pytest

from referee.grading.rubric import Beats, Memory, MemoryBand, PlaceBand, Placing, RateBand, Speed, SpeedBand


@pytest.mark.parametrize(("rate", "points"), [(0.0, 0), (0.49, 0), (0.5, 10), (0.79, 10), (0.8, 20), (1.0, 20)])
def test_a_win_rate_earns_the_highest_band_it_reaches(rate: float, points: float) -> None:
    bands = (RateBand(rate=0.5, points=10), RateBand(rate=0.8, points=20))
    assert Beats(opponent="greedy", points=20, bands=bands).earned(rate) == points


def test_without_bands_half_of_the_games_are_enough() -> None:
    check = Beats(opponent="greedy", points=20)
    assert [check.earned(rate) for rate in (0.49, 0.5)] == [0, 20]


@pytest.mark.parametrize(("used", "points"), [(0.5, 10), (1.0, 10), (1.01, 5), (5, 5), (5.1, 0)])
def test_less_time_and_less_memory_earn_more(used: float, points: float) -> None:
    fast, slow = SpeedBand(ms=1, points=10), SpeedBand(ms=5, points=5)
    assert Speed(points=10, bands=(fast, slow)).earned(used) == points
    small, large = MemoryBand(mb=1, points=10), MemoryBand(mb=5, points=5)
    assert Memory(points=10, bands=(small, large)).earned(used) == points


@pytest.mark.parametrize(
    ("place", "students", "points"), [(1, 1, 9), (3, 60, 9), (4, 60, 5), (30, 60, 5), (31, 60, 0), (4, 5, 0), (4, 8, 5)]
)
def test_a_place_earns_by_rank_or_by_share_of_the_class(place: int, students: int, points: float) -> None:
    check = Placing(points=9, bands=(PlaceBand(top=3, points=9), PlaceBand(top_percent=50, points=5)))
    assert check.earned(place, students) == points


def test_the_first_of_a_small_class_is_in_any_share_of_it() -> None:
    assert Placing(points=9, bands=(PlaceBand(top_percent=10, points=9),)).earned(1, 3) == 9
