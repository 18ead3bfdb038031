"""Ratings: known strengths are found again within their intervals, in no order of games, and always finite."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

import pytest

from referee.tournament.outcome import Kick, Outcome
from referee.tournament.rating import Rating, Tally, rate

_ELO = 400 / math.log(10)
_TIE = 0.4  # performances are told apart to this much, in natural units


def played(*ranking: Sequence[str], kicked: Sequence[str] = (), void: str = "") -> Outcome:
    return Outcome(
        number=0,
        seats=(*(player for tied in ranking for player in tied), *kicked),
        ranking=tuple(map(tuple, ranking)),
        kicked=tuple(Kick(player, "exception", "move", 3) for player in kicked),
        void=void,
    )


def rated(players: Iterable[str], outcomes: Iterable[Outcome]) -> dict[str, Rating]:
    tally = Tally()
    for outcome in outcomes:
        tally.add(outcome)
    return rate(players, tally)


def race(rng: random.Random, seats: Sequence[str], strengths: dict[str, float]) -> Outcome:
    """A game by Plackett-Luce (Gumbel noise on each strength); performances too close to tell apart are a tie."""
    groups: dict[int, list[str]] = {}
    for player in seats:
        performance = strengths[player] / _ELO - math.log(-math.log(rng.random()))
        groups.setdefault(math.floor(performance / _TIE), []).append(player)
    return played(*(groups[level] for level in sorted(groups, reverse=True)))


def share_recovered(seats: int, players: int, games: int, tournaments: int) -> float:
    """How many of all true strengths lie in their intervals."""
    rng = random.Random(f"{seats} {players} {games}")
    names = [f"p{number}" for number in range(players)]
    found = 0
    for _ in range(tournaments):
        drawn = {name: rng.gauss(0, 200) for name in names}
        mean = sum(drawn.values()) / players
        ratings = rated(names, (race(rng, rng.sample(names, seats), drawn) for _ in range(games)))
        found += sum(ratings[name].low <= drawn[name] - mean <= ratings[name].high for name in names)
    return found / (players * tournaments)


@pytest.mark.parametrize(("seats", "players", "games"), [(2, 8, 150), (4, 8, 60)])
def test_known_strengths_lie_within_their_intervals(seats: int, players: int, games: int) -> None:
    assert 0.90 <= share_recovered(seats, players, games, 40) <= 0.99


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("seats", "players", "games"),
    [(2, 8, 28), (2, 8, 300), (2, 20, 400), (3, 6, 60), (4, 8, 30), (4, 8, 300), (5, 9, 90)],
)
def test_known_strengths_lie_within_their_intervals_95_times_in_a_hundred(
    seats: int, players: int, games: int
) -> None:
    assert 0.93 <= share_recovered(seats, players, games, 200) <= 0.975


@pytest.mark.parametrize("seats", [2, 4])
def test_the_order_of_games_players_and_seats_changes_nothing(seats: int) -> None:
    rng = random.Random(seats)
    names = [f"p{number}" for number in range(7)]
    strengths = {name: rng.gauss(0, 200) for name in names}
    outcomes = [race(rng, rng.sample(names, seats), strengths) for _ in range(120)]
    outcomes += [played(["p1"], kicked=["p2"]), played(kicked=["p3", "p2"])]
    shuffled = [
        Outcome(
            number=0,
            seats=tuple(rng.sample(outcome.seats, len(outcome.seats))),
            ranking=tuple(tuple(rng.sample(tied, len(tied))) for tied in outcome.ranking),
        )
        for outcome in rng.sample(outcomes, len(outcomes))
    ]
    assert rated(reversed(names), shuffled) == rated(names, outcomes)


def test_the_mean_of_the_field_is_zero_and_the_scale_is_elos() -> None:
    ratings = rated("ab", [played("a", "b")] * 6400 + [played("b", "a")] * 3600)
    assert ratings["a"].value + ratings["b"].value == pytest.approx(0)
    assert ratings["a"].value - ratings["b"].value == pytest.approx(400 * math.log10(64 / 36), abs=0.1)


def test_a_tie_is_half_a_win_each() -> None:
    ties = rated("ab", [played("a", "b")] * 50 + [played("ab")] * 50)
    wins = rated("ab", [played("a", "b")] * 75 + [played("b", "a")] * 25)
    assert ties["a"].value == pytest.approx(wins["a"].value)
    assert ties["a"].high - ties["a"].low < wins["a"].high - wins["a"].low


def test_who_was_kicked_is_below_the_ranked_and_says_nothing_of_others_kicked() -> None:
    kicked = rated("abcd", [played("a", kicked="bc"), played("d", "a")])
    ranked = rated("abcd", [played("a", "b"), played("a", "c"), played("d", "a")])
    assert kicked["b"].value == kicked["c"].value < kicked["a"].value
    assert [kicked[name].value for name in "abcd"] == pytest.approx([ranked[name].value for name in "abcd"])


def test_void_games_and_games_in_which_all_were_kicked_change_nothing() -> None:
    games = [played("a", "b"), played("b", "c"), played("a", "c")]
    assert rated("abc", [*games, played("c", "a", void="lane died"), played(kicked="ab")]) == rated("abc", games)


def test_more_games_narrow_the_interval() -> None:
    few = rated("ab", [played("a", "b"), played("b", "a")] * 10)["a"]
    many = rated("ab", [played("a", "b"), played("b", "a")] * 1000)["a"]
    assert many.high - many.low < (few.high - few.low) / 5


def sensible(rating: Rating) -> bool:
    return all(map(math.isfinite, (rating.value, rating.low, rating.high))) and rating.low < rating.value < rating.high


def test_who_won_or_lost_everything_is_rated_with_an_interval_open_on_that_side() -> None:
    games = [played("a", "b"), played("a", "c"), played("b", "c"), played("c", "b"), played("b", "d"), played("c", "d")]
    ratings = rated("abcd", games * 10)
    assert all(map(sensible, ratings.values()))
    best, worst = ratings["a"], ratings["d"]
    assert best.value > ratings["b"].value > worst.value
    assert best.high - best.value > best.value - best.low
    assert worst.value - worst.low > worst.high - worst.value
    assert best.high - best.low > 2 * (ratings["b"].high - ratings["b"].low)


def test_the_longer_the_winning_streak_the_higher_the_rating() -> None:
    values = [rated("ab", [played("a", "b")] * streak)["a"].value for streak in (1, 10, 100, 100_000)]
    assert values == sorted(values)
    assert values[-1] < 2000


def test_one_game_says_a_little_and_nobody_seen_says_nothing() -> None:
    ratings = rated("abc", [played("a", "b")])
    assert all(map(sensible, ratings.values()))
    assert ratings["a"].value > 0 > ratings["b"].value
    assert ratings["c"].value == 0
    assert ratings["c"].low < -1000
    assert rated("ab", []) == {"a": ratings["c"], "b": ratings["c"]}
    assert rated("", []) == {}


def test_parts_of_the_field_that_never_met_are_each_rated_around_the_mean() -> None:
    games = [played("a", "b"), played("a", "b"), played("b", "a"), played("c", "d"), played("c", "d"), played("d", "c")]
    apart = rated("abcd", games * 100)
    assert all(map(sensible, apart.values()))
    assert apart["a"].value == pytest.approx(apart["c"].value)
    together = rated("abcd", [*games * 100, *[played("a", "c"), played("c", "a")] * 100])
    assert apart["a"].high - apart["a"].low > 2 * (together["a"].high - together["a"].low)


def test_a_half_of_the_field_that_never_lost_to_the_other_is_above_it() -> None:
    within = [played("a", "b"), played("b", "a"), played("c", "d"), played("d", "c")]
    across = [played("a", "c"), played("a", "d"), played("b", "c"), played("b", "d")]
    ratings = rated("abcd", (within + across) * 1000)
    assert all(map(sensible, ratings.values()))
    assert min(ratings["a"].low, ratings["b"].low) > max(ratings["c"].high, ratings["d"].high)
