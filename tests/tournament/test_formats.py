"""What every way to hold a tournament has in common."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.formats import FORMATS, Plan
from referee.tournament.formats.ranks import ranked
from tests.tournament.holding import by_chance, flat, held, names


@pytest.mark.parametrize("format", FORMATS)
@given(count=st.integers(5, 13), seats=st.integers(2, 5), games=st.integers(1, 6), seed=st.integers(0, 999))
@settings(max_examples=25, deadline=None)
def test_any_results_lead_to_an_end_and_the_same_ones_to_the_same(
    format: str, count: int, seats: int, games: int, seed: int
) -> None:
    plan = Plan(seats=seats, games=games, through=1 + seed % 2)
    judge = by_chance(seed, voids=0.2, failing=0.2)
    once, again = (held(FORMATS[format](names(count), plan), judge) for _ in range(2))
    assert once == again
    rounds, _, places = once
    assert all(rounds)
    assert all(len(set(match.seats)) == len(match.seats) <= seats for match in flat(rounds))
    if places is not None:
        assert sorted(player for tied in places for player in tied) == names(count)
        assert all(places[1:])


def test_sums_that_differ_only_in_rounding_share_a_place() -> None:
    assert ranked({"a": 0.1 + 0.2, "b": 0.3, "c": 0.4}) == [{"c"}, {"a", "b"}]


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "sprt"])
def test_too_few_players_for_a_table_are_refused_with_a_sentence(format: str) -> None:
    with pytest.raises(ValueError, match=r"3 seats and there are only 2 players"):
        next(FORMATS[format](names(2), Plan(seats=3, games=3)))
