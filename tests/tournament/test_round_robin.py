"""Everybody against everybody, or against the first: every table, every seat, equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest

from referee.tournament.formats import FORMATS, Plan
from tests.tournament.holding import all_draw, flat, held, names


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("more", [0, 1, 3])
def test_a_round_robin_seats_every_combination_in_every_seat_equally_often(seats: int, more: int) -> None:
    players = names(seats + more)
    games = 2 * seats
    matches = flat(held(FORMATS["round-robin"](players, Plan(seats=seats, games=games)), all_draw)[0])
    assert Counter(frozenset(match.seats) for match in matches) == {
        frozenset(table): games for table in combinations(players, seats)
    }
    sat = Counter(
        (frozenset(match.seats), player, seat) for match in matches for seat, player in enumerate(match.seats)
    )
    assert set(sat.values()) == {2}


@pytest.mark.parametrize("format", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_deal_is_played_by_one_table_once_with_everybody_in_every_seat(format: str, seats: int) -> None:
    matches = flat(held(FORMATS[format](names(6), Plan(seats=seats, games=3 * seats)), all_draw)[0])
    deals: dict[int, list[tuple[str, ...]]] = {}
    for match in matches:
        deals.setdefault(match.deal, []).append(match.seats)
    for tables in deals.values():
        first = tables[0]
        assert sorted(tables) == sorted(first[by:] + first[:by] for by in range(seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_neighbours_change_from_deal_to_deal(seats: int) -> None:
    """After every circular order has been used, each player has had each other on its left equally often."""
    orders = {3: 2, 4: 6, 5: 24}[seats]
    matches = flat(held(FORMATS["round-robin"](names(seats), Plan(seats=seats, games=seats * orders)), all_draw)[0])
    left = Counter((match.seats[seat - 1], match.seats[seat]) for match in matches for seat in range(seats))
    assert set(left.values()) == {seats * orders // (seats - 1)}
    assert len(left) == seats * (seats - 1)


@pytest.mark.parametrize(("count", "seats"), [(9, 2), (10, 2), (7, 3), (9, 3), (9, 4), (8, 5)])
def test_a_round_robin_is_fair_at_every_moment(count: int, seats: int) -> None:
    """Nobody is more than a table ahead in games, and one game each already spreads the seats."""
    matches = flat(held(FORMATS["round-robin"](names(count), Plan(seats=seats, games=1)), all_draw)[0])
    played = Counter(names(count))
    for match in matches:
        played.update(match.seats)
        assert max(played.values()) - min(played.values()) <= seats
    sat = Counter((player, seat) for match in matches for seat, player in enumerate(match.seats))
    each = [sat[player, seat] for player in names(count) for seat in range(seats)]
    assert max(each) - min(each) <= seats - 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_gauntlet_is_the_first_player_against_all_others(seats: int) -> None:
    players = names(seats + 2)
    matches = flat(held(FORMATS["gauntlet"](players, Plan(seats=seats, games=seats)), all_draw)[0])
    wanted = {frozenset(table): seats for table in combinations(players, seats) if players[0] in table}
    assert Counter(frozenset(match.seats) for match in matches) == wanted
    assert set(Counter(match.seats.index(players[0]) for match in matches).values()) == {comb(seats + 1, seats - 1)}


def test_the_first_of_a_gauntlet_has_every_seat_even_in_one_game_each() -> None:
    matches = flat(held(FORMATS["gauntlet"](names(9), Plan(seats=2, games=1)), all_draw)[0])
    assert Counter(match.seats.index("p0000") for match in matches) == {0: 4, 1: 4}


def test_a_round_robin_too_big_to_hold_begins_at_once() -> None:
    format = FORMATS["round-robin"](names(200), Plan(seats=5, games=100))
    first = next(format)
    assert len(first) < comb(200, 5)
    assert len(set(islice(first, 1000))) == 1000
