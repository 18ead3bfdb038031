"""The reference strategies play legally to the end, as the rules describe them, and the strong one wins."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest

from referee.games import q
from tests.games.q_positions import at, table

NAMES = ("random", "dag", "ldasg", "best", "strong")


def strategy(name: str, **settings: int) -> Any:
    return importlib.import_module(f"players.q.{name}").Strategy(**settings)


def played(names: dict[str, str], config: q.Config | None, seed: int) -> q.State:
    random.seed(seed)
    players = {player: strategy(name) for player, name in names.items()}
    state = q.game.setup(list(names), config, seed)
    while (ask := state.ask()) is not None:
        state = state.commit(None if ask.reply is None else players[ask.player].take_turn(ask.view))
    return state


def turn(name: str, state: q.State) -> Any:
    ask = state.ask()
    assert ask is not None
    return strategy(name).take_turn(ask.view)


@pytest.mark.parametrize("name", NAMES)
def test_each_plays_a_legal_game_to_its_end(name: str) -> None:
    for seed in range(3):
        small = q.Config(pile=tuple(random.Random(seed).choice(q.KINDS).plain for _ in range(90)))
        end = played({"A": name, "B": "random", "C": name}, small, seed)
        assert end.is_over
        assert end.kicked == ()


@pytest.mark.parametrize("name", NAMES)
def test_each_exchanges_or_passes_when_nothing_fits(name: str) -> None:
    assert turn(name, table(["b%", "g%"], points=[1, 1])) == "pass"
    if name != "random":
        assert turn(name, table(["b%", "g%"], pile="o^", points=[1, 1])) == "exchange"


@pytest.mark.parametrize("name", NAMES)
def test_each_has_one_line_that_says_what_it_does(name: str) -> None:
    described = (importlib.import_module(f"players.q.{name}").__doc__ or "").splitlines()[0]
    assert described.endswith(".")


def test_dag_goes_to_the_first_place_and_ldasg_to_the_most_neighbours() -> None:
    state = table(["r^", "g%"], drawing="r* .\nr# r%")
    assert turn("dag", state) == (at(-1, 0, "r^"),)
    assert turn("ldasg", state) == (at(0, 1, "r^"),)


def test_dag_stops_where_its_list_would_leave_the_line() -> None:
    # The clover goes above the star; the next would go beside it, out of the column.
    state = table(["r# b# r%", "g%"])
    placement = turn("dag", state)
    assert placement == (at(-1, 0, "r#"), at(-2, 0, "b#"))


def test_best_finds_the_two_ends_of_a_line() -> None:
    state = table(["r% r^ b8", "g%"], drawing="r* r# ro r8")
    assert state.check(turn("best", state)) is None
    after = state.commit(turn("best", state))
    assert after.points[0] >= 2 + 6 + 8


def test_strong_does_not_end_a_game_it_would_lose() -> None:
    hands = ["r# r%", "g% g%"]
    assert len(turn("strong", table(hands, points=[0, 3]))) == 2
    assert len(turn("strong", table(hands, points=[0, 300]))) == 1


def test_strong_passes_when_that_ends_the_round_and_wins() -> None:
    assert turn("strong", table(["g%", "r# r%"], points=[0, 3]).commit("pass")) == "pass"
    assert turn("strong", table(["g%", "r# b%"], points=[3, 3]).commit("pass")) == (at(-1, 0, "r#"),)


def test_strong_beats_best_more_often_than_not() -> None:
    won = lost = 0
    for game in range(60):
        names = {"S": "strong", "B": "best"} if game % 2 else {"B": "best", "S": "strong"}
        scores = played(names, None, game // 2).scores()
        won, lost = won + (scores["S"] > scores["B"]), lost + (scores["S"] < scores["B"])
    assert won > 1.5 * lost


@pytest.mark.parametrize("name", ["best", "strong"])
def test_the_same_position_gets_the_same_answer(name: str) -> None:
    state = q.game.setup(["A", "B"], seed=11).commit(None).commit(None)
    assert turn(name, state) == turn(name, state)
