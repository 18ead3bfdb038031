"""Swiss: who meets, who rests, and what it is worth."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.tournament.formats import FORMATS, Plan
from referee.tournament.formats.swiss import rounds_needed
from referee.tournament.outcome import Outcome, Pairing
from tests.tournament.holding import best_listed_wins, by_chance, ended, flat, held, names, void


@given(st.integers(2, 24), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_nobody_meets_twice_in_a_swiss_of_pairs(count: int, seed: int) -> None:
    """In so few rounds it can always be avoided."""
    rounds, _, places = held(FORMATS["swiss"](names(count), Plan(seats=2, games=2)), by_chance(seed, failing=0.1))
    assert len(rounds) == rounds_needed(count)
    met = Counter(frozenset(match.seats) for match in flat(rounds))
    assert set(met.values()) == {2}
    assert places is not None
    assert sorted(player for tied in places for player in tied) == names(count)


@pytest.mark.parametrize(("count", "seats", "rounds"), [(9, 3, 4), (16, 4, 3), (25, 5, 3), (60, 5, 6), (10, 2, 5)])
def test_nobody_meets_twice_at_bigger_tables_where_that_can_be_avoided(count: int, seats: int, rounds: int) -> None:
    played, _, _ = held(FORMATS["swiss"](names(count), Plan(seats=seats, games=1, rounds=rounds)), best_listed_wins)
    met = Counter(pair for match in flat(played) for pair in combinations(sorted(match.seats), 2))
    assert set(met.values()) == {1}


def test_rematches_that_cannot_be_avoided_are_spread() -> None:
    played, _, _ = held(FORMATS["swiss"](names(4), Plan(seats=2, games=1, rounds=6)), best_listed_wins)
    assert Counter(frozenset(match.seats) for match in flat(played)) == {
        frozenset(pair): 2 for pair in combinations(names(4), 2)
    }


def test_in_swiss_those_meet_who_have_as_many_points() -> None:
    rounds, _, places = held(FORMATS["swiss"](names(8), Plan(seats=2, games=2)), best_listed_wins)
    second = {frozenset(match.seats) for match in rounds[1]}
    winners = {min(match.seats) for match in rounds[0]}
    assert all(table <= winners or not table & winners for table in second)
    assert places is not None
    assert places[0] == {"p0000"}
    assert places[-1] == {"p0007"}


@given(st.integers(3, 12), st.integers(2, 5), st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_byes_go_round(count: int, seats: int, rounds: int, seed: int) -> None:
    assume(count >= seats)
    played, _, _ = held(FORMATS["swiss"](names(count), Plan(seats=seats, games=1, rounds=rounds)), by_chance(seed))
    sat = Counter(player for match in flat(played) for player in match.seats)
    byes = [rounds - sat[player] for player in names(count)]
    assert sum(byes) == rounds * (count % seats)
    assert max(byes) - min(byes) <= 1


def test_a_bye_is_worth_a_win_and_goes_to_the_lowest() -> None:
    rounds, _, places = held(FORMATS["swiss"](names(3), Plan(seats=2, games=2, rounds=2)), best_listed_wins)
    assert [set(match.seats) for match in flat(rounds)[::2]] == [{"p0000", "p0001"}, {"p0000", "p0002"}]
    assert places == [{"p0000"}, {"p0001", "p0002"}]
    _, _, places = held(FORMATS["swiss"](names(3), Plan(seats=2, games=2, rounds=1)), best_listed_wins)
    assert places == [{"p0000", "p0002"}, {"p0001"}]


def test_a_bye_never_puts_a_player_that_is_always_kicked_first() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        return ended(number, match, kicked=match.seats)

    assert held(FORMATS["swiss"](names(3), Plan(seats=2, games=1, rounds=3)), judge)[2] == [set(), set(names(3))]


def test_a_void_game_takes_nothing_from_anybody_in_swiss() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        return void(number, match) if number == 0 else best_listed_wins(number, match)

    rounds, _, places = held(FORMATS["swiss"](names(4), Plan(seats=2, games=1, rounds=1)), judge)
    in_the_middle, (won, lost) = set(rounds[0][0].seats), sorted(rounds[0][1].seats)
    assert places == [{won}, in_the_middle, {lost}]


def test_seats_change_in_swiss_even_in_one_game_each() -> None:
    played, _, _ = held(FORMATS["swiss"](names(8), Plan(seats=2, games=1, rounds=4)), best_listed_wins)
    sat = Counter((player, seat) for match in flat(played) for seat, player in enumerate(match.seats))
    assert all(1 <= sat[player, 0] <= 3 for player in names(8))
