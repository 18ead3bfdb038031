"""The reference strategies of Tsuro play as they are described."""

from __future__ import annotations

import importlib
import pkgutil
import random
from typing import Any

import pytest

import players.tsuro
from players.tsuro import first, second, strong, third
from referee.games.tsuro import Config, Placement, State, View, course, game
from tests.conformance.table import play

NAMES = ["ada", "bob", "cyd"]
ALL = sorted(module.name for module in pkgutil.iter_modules(players.tsuro.__path__))


def strategy(name: str) -> Any:
    return importlib.import_module(f"players.tsuro.{name}").Strategy()


def view(pats: list[list[Any]], hand: tuple[int, ...], phase: str = "moving") -> View:
    """What white is shown of a board in the course's form."""
    colors = ("white", "black", "red", "green", "blue")
    return View("white", colors, course.position(pats), hand, phase, 9, 2, {}, (), ())


def game_of(*names: str, seed: int = 0) -> State:
    state = game.setup(NAMES[: len(names)], Config(tiles="shuffled"), seed)
    return play(state, {seat: strategy(name) for seat, name in zip(NAMES, names, strict=True)})  # type: ignore[return-value]


def test_there_is_one_of_each() -> None:
    assert ALL == ["first", "random", "second", "strong", "third"]


@pytest.mark.parametrize("name", ALL)
def test_each_says_in_one_line_what_it_does(name: str) -> None:
    about = importlib.import_module(f"players.tsuro.{name}").__doc__ or ""
    assert about.splitlines()[0].endswith(".")


def test_first_and_second_begin_clockwise_with_their_third_tile() -> None:
    for module in (first, second):
        start = view([], (7, 8, 9), "placing")
        assert module.Strategy().initial_placement(start) == Placement((9, 0), (1, 0), "C")  # type: ignore[arg-type]
        taken = view([[[0, 0], "black", "C", 1, 0], [[0, 0], "red", "E", 4, 0]], (7, 8, 9), "placing")
        assert module.Strategy().initial_placement(taken).square == (6, 0)


def test_third_begins_counter_clockwise_with_the_ports_the_other_way_round() -> None:
    assert third.Strategy().initial_placement(view([], (7, 8, 9), "placing")) == ((9, 0), (0, 1), "A")
    taken = view([[[0, 0], "black", "C", 0, 1], [[0, 0], "red", "C", 0, 4]], (7, 8, 9), "placing")
    assert third.Strategy().initial_placement(taken).square == (0, 6)
    corner = view(
        [[[0, 0], 0, y] for y in range(2, 10, 2)] + [[[0, 0], x, 9] for x in range(2, 10)], (7, 8, 9), "placing"
    )
    assert third.Strategy().initial_placement(corner)[1:] == ((9, 7), "A")


def test_third_leaves_the_corner_for_last() -> None:
    edge = [[[0, 0], x, 0] for x in range(2, 10)] + [[[0, 0], 9, y] for y in range(1, 10)]
    edge += [[[0, 0], x, 9] for x in range(9)] + [[[0, 0], 0, y] for y in range(2, 9)]
    assert third.Strategy().initial_placement(view(edge, (7, 8, 9), "placing"))[1:] == ((0, 0), "F")


# Along the upper edge: tile 4 leads off the board, tile 34 round a loop, tile 2 straight on.
CORNER = [[[34, 0], "white", "C", 0, 0]]


@pytest.mark.parametrize(
    ("hand", "by_first", "by_second", "by_third"),
    [
        ((2, 13), (2, 0), (2, 0), (13, 270)),
        ((13, 2), (13, 0), (13, 270), (2, 0)),
        ((4, 2), (4, 0), (2, 0), (2, 0)),
        ((2, 4), (2, 0), (2, 0), (2, 0)),
        ((4, 34), (4, 0), (4, 0), (34, 0)),  # nothing is legal
    ],
)
def test_which_tile_each_plays(hand: tuple[int, int], by_first: Any, by_second: Any, by_third: Any) -> None:
    seen = view(CORNER, hand)
    assert first.Strategy().move(seen) == by_first
    assert second.Strategy().move(seen) == by_second
    assert third.Strategy().move(seen) == by_third


def test_strong_plays_the_only_legal_tile_or_any_when_there_is_none() -> None:
    assert strong.Strategy().move(view(CORNER, (4, 2))) == (2, 0)
    assert strong.Strategy().move(view(CORNER, (4, 34))) == (4, 0)


def test_strong_sees_a_kill() -> None:
    # Black looks at the same square: tile 4 leads it back and off the board, and white on.
    pats = [[[0, 0], "white", "B", 1, 1], [[34, 0], "black", "C", 0, 0]]
    assert strong.Strategy(nodes=300).move(view(pats, (4, 2))) == (4, 0)


@pytest.mark.parametrize("name", ALL)
def test_whole_games_are_played_and_repeat(name: str) -> None:
    ends = []
    for _ in range(2):
        random.seed(3)
        ends.append(game_of(name if name != "strong" else "second", "random", "third", seed=5))
    assert ends[0] == ends[1]
    assert ends[0].is_over


def test_strong_repeats_and_is_never_kicked_for_a_choice_it_had() -> None:
    ends = []
    for _ in range(2):
        state = game.setup(NAMES, Config(tiles="shuffled"), 1)
        table = {"ada": strong.Strategy(nodes=200), "bob": second.Strategy(), "cyd": third.Strategy()}
        ends.append(play(state, table))
    assert ends[0] == ends[1]
    assert "ada" not in ends[0].kicked


def test_strong_outlives_the_others_most_of_the_time() -> None:
    ahead = 0
    for seed in range(12):
        random.seed(seed)
        state = game.setup(NAMES, Config(tiles="shuffled"), seed)
        table = {name: strategy("random") for name in NAMES} | {NAMES[seed % 3]: strong.Strategy(nodes=250)}
        end = play(state, table)
        ahead += NAMES[seed % 3] in end.ranking()[0]
    assert ahead >= 8
