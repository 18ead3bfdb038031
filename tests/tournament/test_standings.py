"""The table of a tournament: what counts, who stands where, who won, and how it is written."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from referee.tournament.outcome import Kick, Outcome
from referee.tournament.standings import Standing, Table, standings
from referee.tournament.tables import csv_rows, lines


def kick(player: str, verdict: str = "exception", method: str = "move", turn: int = 3) -> Kick:
    return Kick(player, verdict, method, turn)


def played(
    *ranking: Sequence[str],
    kicked: Sequence[Kick] = (),
    void: str = "",
    moves: dict[str, int] | None = None,
    cpu: dict[str, float] | None = None,
) -> Outcome:
    return Outcome(
        number=0,
        seats=(*(player for tied in ranking for player in tied), *(out.player for out in kicked)),
        ranking=tuple(map(tuple, ranking)),
        kicked=tuple(kicked),
        void=void,
        moves=moves or {},
        cpu=cpu or {},
    )


def table_of(players: str, *outcomes: Outcome) -> Table:
    table = Table(players)
    for outcome in outcomes:
        table.add(outcome)
    return table


def order(rows: Sequence[Standing]) -> str:
    return "".join(row.player for row in rows)


def by_player(rows: Sequence[Standing]) -> dict[str, Standing]:
    return {row.player: row for row in rows}


def test_a_win_is_a_sole_first_place_a_draw_a_shared_one_and_all_else_a_loss() -> None:
    ranked = [played("a", "bc"), played("ab", "c")]
    kicked = [played("c", kicked=[kick("a"), kick("b")]), played(kicked=[kick("a"), kick("c")])]
    rows = by_player(standings("abc", ranked + kicked))
    assert {name: (row.wins, row.draws, row.losses) for name, row in rows.items()} == {
        "a": (1, 1, 2),
        "b": (0, 1, 2),
        "c": (1, 0, 3),
    }
    assert {name: row.points for name, row in rows.items()} == {"a": 1.75, "b": 1.0, "c": 1.25}


def test_kicks_are_counted_by_verdict() -> None:
    games = [played("a", kicked=[kick("b", "cpu-timeout")]), played("a", kicked=[kick("b", "cpu-timeout")])]
    rows = by_player(standings("ab", [*games, played("a", kicked=[kick("b", "crash")])]))
    assert rows["b"].kicks == {"cpu-timeout": 2, "crash": 1}
    assert rows["a"].kicks == {}


def test_cpu_is_by_the_move_and_zero_without_one() -> None:
    short = played("a", "b", moves={"a": 10}, cpu={"a": 0.5, "b": 0.1})
    long = played("a", "b", moves={"a": 30}, cpu={"a": 1.5})
    rows = by_player(standings("ab", [short, long]))
    assert rows["a"].cpu_per_move_ms == pytest.approx(50)
    assert rows["b"].cpu_per_move_ms == 0.0


def test_a_void_match_counts_for_nobody() -> None:
    table = table_of("ab", played("a", "b"), played("b", kicked=[kick("a")], void="the lane died"))
    assert (table.played, table.void) == (1, 1)
    assert table.standings() == standings("ab", [played("a", "b")])


def test_players_who_never_played_have_a_row() -> None:
    absent = by_player(standings("abc", [played("a", "b")]))["c"]
    assert (absent.points, absent.wins, absent.draws, absent.losses, absent.rating) == (0.0, 0, 0, 0, 0.0)
    assert (absent.kicks, absent.cpu_per_move_ms) == ({}, 0.0)


def test_points_go_before_wins_wins_before_rating_and_rating_before_the_name() -> None:
    assert order(standings("abc", [played("b", "a"), played("b", "c"), played("c", "a")])) == "bca"
    assert order(standings("abcd", [played("ac"), played("ac"), played("d", "b")])) == "dacb"
    strong = [played("b", "c"), played("a", "d"), played("c", "d"), played("c", "d"), played("c", "d")]
    assert order(standings("abcd", strong)) == "cbad"
    assert order(standings("ba", [played("ab")])) == "ab"


def test_the_order_of_games_does_not_show() -> None:
    rng = random.Random(3)
    games = [played(*rng.sample("abcd", 4)) for _ in range(60)] + [played(*rng.sample("abcd", 2)) for _ in range(60)]
    assert standings("abcd", rng.sample(games, len(games))) == standings("abcd", games)


def test_the_places_of_a_format_go_before_points() -> None:
    games = [played("a", "b"), played("a", "c"), played("b", "c")]
    assert order(standings("abcd", games, places=[{"c"}, {"b", "a"}])) == "cabd"


@pytest.mark.parametrize("failure", [kick("a", "load-error", "", 0), kick("a", "cpu-timeout", "", 0)])
def test_who_was_kicked_while_loading_comes_last_and_is_no_winner(failure: Kick) -> None:
    table = table_of("abc", played("b", kicked=[failure]), played("a", "b"), played("a", "b"), played("b", "c"))
    assert order(table.standings()) == "bca"
    assert table.winners() == ["b"]
    assert order(table.standings(places=[{"a", "c"}, {"b"}])) == "cba"
    assert table.winners(places=[{"a", "c"}, {"b"}]) == ["c"]


def test_nobody_shares_first_place_when_nobody_loads() -> None:
    broken = [kick(player, "load-error", "", 0) for player in "ab"]
    table = table_of("ab", played(kicked=broken), played(kicked=broken))
    assert table.winners() == []
    assert [(row.wins, row.draws, row.losses, row.points) for row in table.standings()] == [(0, 0, 2, 0.0)] * 2


def test_a_kick_in_mid_game_does_not_bar_a_player_from_winning() -> None:
    table = table_of("ab", played("b", kicked=[kick("a", "exception", "setup", 0)]), played("a", "b"), played("a", "b"))
    assert table.winners() == ["a"]
    assert order(table.standings()) == "ab"


def test_those_with_equal_points_and_wins_share_the_tournament() -> None:
    assert table_of("abc", played("a", "c"), played("b", "c"), played("ab")).winners() == ["a", "b"]
    assert table_of("abc").winners() == []


def test_a_winner_that_fails_in_a_hook_is_no_winner_and_nobody_is_promoted() -> None:
    table = table_of("ab", played("a", "b"))
    assert table.winners(failed={"a": "exception"}) == []
    rows = table.standings(failed={"a": "exception"})
    assert order(rows) == "ba"
    assert rows[1].kicks == {"exception": 1}
    assert table.winners(places=[{"a", "b"}], failed=["a"]) == ["b"]


def test_the_live_table_is_the_final_one_but_for_the_ratings() -> None:
    table = table_of("abc", played("b", "a", moves={"a": 2}, cpu={"a": 0.1}), played("b", kicked=[kick("c")]))
    assert [(row.player, row.points, row.kicks, row.cpu_per_move_ms) for row in table.live()] == [
        (row.player, row.points, row.kicks, row.cpu_per_move_ms) for row in table.standings()
    ]


def test_lines_are_aligned_and_show_no_control_characters() -> None:
    heading, *rows = lines(standings(["a\x1b[31m", "bob"], [played(["bob"], kicked=[kick("a\x1b[31m", "crash")])] * 12))
    assert [row.split()[1] for row in rows] == ["bob", "a\\x1b[31m"]
    assert {row.index(points) + len(points) for row, points in zip(rows, ("12.00", "0.00"), strict=True)} == {
        heading.index("points") + len("points")
    }
    assert rows[1].endswith("crash 12")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\tx", "\rx"])
def test_a_name_in_a_spreadsheet_is_no_formula(name: str) -> None:
    heading, row = csv_rows(standings([name], []))
    assert row[0] == f"'{name}"
    assert heading[0] == "player"
    assert len(row) == len(heading) == 10


def test_a_negative_rating_in_a_spreadsheet_stays_a_number() -> None:
    _, best, worst = csv_rows(standings("ab", [played("a", "b"), played("a", kicked=[kick("b", "crash")])]))
    assert float(worst[6]) == -float(best[6]) < 0
    assert worst[5] == "crash 1"
