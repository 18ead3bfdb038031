"""A head-to-head: right as often as was asked for, and no longer than it must be."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.tournament.formats import FORMATS, Plan
from referee.tournament.formats.sprt import judged
from referee.tournament.outcome import Outcome, Pairing
from tests.tournament.holding import Judge, all_draw, ended, held, names, void


def chance_of(points: float, draws: float, seed: int) -> Judge:
    """The new version, p0000, has so many points a game on average."""
    chance = random.Random(seed)

    def judge(number: int, match: Pairing) -> Outcome:
        drawn = chance.random()
        if drawn < draws:
            return ended(number, match, ("p0000", "p0001"))
        won = drawn < points + draws / 2
        return ended(number, match, *(["p0000", "p0001"] if won else ["p0001", "p0000"]))

    return judge


def answered(judge: Judge, games: int = 4000, seats: int = 2, **settings: float) -> tuple[str, int]:
    plan = Plan(seats=seats, games=games, **settings)  # type: ignore[arg-type]  # floats are all a test sets
    _, outcomes, _ = held(FORMATS["sprt"](names(seats), plan), judge)
    return judged(outcomes, plan).answer, len(outcomes)


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(("points", "answer"), [(1.0, "better"), (0.0, "not better"), (0.5, "not better")])
def test_who_always_does_the_same_is_judged_in_few_games(points: float, answer: str, seats: int) -> None:
    """Half the points of every game is a draw of every game."""
    judge = chance_of(points, float(points == 0.5), seed=0)
    assert answered(judge, seats=seats)[0] == answer
    assert answered(judge, seats=seats)[1] <= 60


# 50 Elo, the default of elo1, are 0.571 points a game.
@pytest.mark.parametrize(("points", "draws", "wrong"), [(0.5, 0.5, "better"), (0.5715, 0.5, "not better")])
def test_errors_are_as_rare_as_was_asked_for(points: float, draws: float, wrong: str) -> None:
    answers = [answered(chance_of(points, draws, seed), alpha=0.1, beta=0.1) for seed in range(150)]
    assert Counter(answer for answer, _ in answers)[wrong] <= 27  # 15 expected at most; more than 27 in 1 of 1,000
    assert Counter(answer for answer, _ in answers)["undecided"] == 0


def test_a_head_to_head_without_an_answer_ends_with_its_games() -> None:
    assert answered(chance_of(0.5, 0.5, seed=2), games=21) == ("undecided", 22)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_deal_of_a_head_to_head_is_played_twice_with_the_two_swapped(seats: int) -> None:
    first = next(FORMATS["sprt"](names(seats + 1), Plan(seats=seats, games=1000)))
    swap = {"p0000": "p0001", "p0001": "p0000"}
    for one, other in zip(first[::2], first[1::2], strict=True):
        assert one.deal == other.deal
        assert other.seats == tuple(swap.get(player, player) for player in one.seats)
    sat = Counter((player, seat) for match in first for seat, player in enumerate(match.seats) if player in swap)
    assert len(set(sat.values())) == 1
    assert len(sat) == 2 * seats


def test_void_games_and_double_kicks_say_nothing_of_who_is_better() -> None:
    plan = Plan(seats=2, games=16)
    _, outcomes, _ = held(FORMATS["sprt"](names(2), plan), void)
    assert (judged(outcomes, plan).llr, judged(outcomes, plan).games) == (0.0, 0)
    draws = held(FORMATS["sprt"](names(2), plan), all_draw)[1]
    both_kicked = held(FORMATS["sprt"](names(2), plan), lambda number, match: ended(number, match, kicked=match.seats))
    assert judged(both_kicked[1], plan) == judged(draws, plan)


def test_nothing_played_is_undecided() -> None:
    assert judged([], Plan(seats=2, games=2)).answer == "undecided"
