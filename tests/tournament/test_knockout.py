"""The course's knock-outs: tables, who goes on, and the places at the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games import fish, q, tsuro
from referee.tournament.formats import FORMATS, Plan
from referee.tournament.formats.knockout import ranks_through, table_sizes
from referee.tournament.outcome import Outcome, Pairing
from tests.tournament.holding import all_draw, best_listed_wins, ended, held, names, void

COURSE = {"tsuro": Plan(seats=5, lowest=3, games=1, through=2), "fish": Plan(seats=4, lowest=2, games=1)}


@pytest.mark.parametrize(
    ("game", "players", "sizes"),
    [
        ("tsuro", 2, []), ("tsuro", 3, [3]), ("tsuro", 5, [5]), ("tsuro", 6, [3, 3]), ("tsuro", 7, [4, 3]),
        ("tsuro", 8, [5, 3]), ("tsuro", 9, [5, 4]), ("tsuro", 11, [5, 3, 3]), ("tsuro", 12, [5, 4, 3]),
        ("fish", 1, []), ("fish", 2, [2]), ("fish", 4, [4]), ("fish", 5, [3, 2]), ("fish", 6, [4, 2]),
        ("fish", 9, [4, 3, 2]), ("fish", 11, [4, 4, 3]),
    ],
)  # fmt: skip
def test_tables_of_the_courses_knock_outs(game: str, players: int, sizes: list[int]) -> None:
    plan = COURSE[game]
    assert table_sizes(players, plan.seats, plan.lowest) == sizes


@given(st.integers(0, 200), st.integers(2, 5), st.integers(0, 3))
def test_tables_of_a_knock_out_are_legal(players: int, fewest: int, more: int) -> None:
    most = fewest + more
    sizes = table_sizes(players, most, fewest)
    assert all(fewest <= size <= most for size in sizes)
    assert 0 <= players - sum(sizes) < fewest
    possible = any(tables * fewest <= players <= tables * most for tables in range(players + 1))
    assert (sum(sizes) == players) == possible


def test_the_top_two_ranks_go_on_in_tsuro_in_the_original_order() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        return ended(number, match, *sorted(match.seats, reverse=True))

    rounds, _, places = held(FORMATS["knockout"](names(10), COURSE["tsuro"]), judge)
    assert [[match.seats for match in matches] for matches in rounds] == [
        [tuple(names(10)[:5]), tuple(names(10)[5:])],
        [("p0003", "p0004", "p0008", "p0009")],
    ]
    out = {"p0000", "p0001", "p0002", "p0005", "p0006", "p0007"}
    assert places == [{"p0009"}, {"p0008"}, {"p0004"}, {"p0003"}, out]


def test_only_winners_go_on_in_fish_and_ties_share_the_win() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        return ended(number, match, match.seats[:2]) if number == 0 else best_listed_wins(number, match)

    rounds, _, places = held(FORMATS["knockout"](names(8), COURSE["fish"]), judge)
    assert [match.seats for match in rounds[1]] == [("p0000", "p0001", "p0004")]
    assert places == [{"p0000"}, {"p0001"}, {"p0004"}, {"p0002", "p0003", "p0005", "p0006", "p0007"}]


def test_a_round_that_sends_nobody_home_ends_a_knock_out() -> None:
    rounds, _, places = held(FORMATS["knockout"](names(8), COURSE["fish"]), all_draw)
    assert len(rounds) == 1
    assert places == [set(names(8))]


@pytest.mark.parametrize(("game", "few"), [("tsuro", 2), ("fish", 1), ("fish", 0)])
def test_too_few_for_a_game_have_all_won(game: str, few: int) -> None:
    assert held(FORMATS["knockout"](names(few), COURSE[game]), all_draw) == ([], [], [set(names(few))])


def test_the_kicked_come_last_the_latest_first_and_are_never_winners() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        kicked = {0: ["p0000"], 1: [], 2: list(match.seats)}[number]
        return ended(number, match, *sorted(set(match.seats) - set(kicked)), kicked=kicked)

    _, _, places = held(FORMATS["knockout"](names(8), COURSE["fish"]), judge)
    out = {"p0002", "p0003", "p0005", "p0006", "p0007"}
    assert places == [set(), out, {"p0001", "p0004"}, {"p0000"}]


def test_a_void_table_sends_nobody_home() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        return void(number, match) if number == 0 else best_listed_wins(number, match)

    rounds, _, _ = held(FORMATS["knockout"](names(8), COURSE["fish"]), judge)
    assert {player for match in rounds[1] for player in match.seats} == {*names(4), "p0004"}


def test_who_finds_no_table_rests_but_not_twice_in_a_row() -> None:
    rounds, _, places = held(FORMATS["knockout"](names(5), Plan(seats=2, games=2)), best_listed_wins)
    tables = [[set(match.seats) for match in matches[::2]] for matches in rounds]
    assert tables == [[{"p0000", "p0001"}, {"p0002", "p0003"}], [{"p0000", "p0004"}], [{"p0000", "p0002"}]]
    assert places == [{"p0000"}, {"p0002"}, {"p0004"}, {"p0001", "p0003"}]


def test_several_games_at_a_knock_outs_table_are_judged_by_their_points() -> None:
    def judge(number: int, match: Pairing) -> Outcome:
        return ended(number, match, "p0001" if number else "p0000")

    assert held(FORMATS["knockout"](names(2), Plan(seats=2, games=4)), judge)[2] == [{"p0001"}, {"p0000"}]


def test_a_game_says_how_many_ranks_go_on_or_the_first_does() -> None:
    assert [ranks_through(game) for game in (tsuro.game, fish.game, q.game)] == [2, 1, 1]
