"""The reference players play whole games without a fault, and the strong one is."""

from __future__ import annotations

import importlib
import random
import time
from typing import Any

import pytest

from players.fish import minimax
from players.table import Clock, build, compare, everyone, wilson
from referee.games.fish import Config, course, game
from tests.conformance.fish import view
from tests.conformance.table import play

NAMES = ["greedy", "minimax", "random", "strong"]


QUICK = "strong:nodes=600"  # the same player with less time to think


def strategy(name: str) -> Any:
    return build("fish", QUICK if name == "strong" else name)


def test_all_are_found_and_say_what_they_do() -> None:
    assert everyone("fish") == ["strong", "greedy", "minimax", "random"]
    for name in NAMES:
        assert importlib.import_module(f"players.fish.{name}").__doc__


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_kicked_in_whole_games(name: str, seats: int) -> None:
    random.seed(1)
    names = [f"{name} {seat}" for seat in range(seats)]
    for seed in range(2):
        end = play(game.setup(names, seed=seed), {player: strategy(name) for player in names})
        assert end.kicked == ()


@pytest.mark.parametrize("name", ["greedy", "minimax", "strong"])
def test_games_repeat(name: str) -> None:
    ends = [play(game.setup(["a", "b"], seed=4), {"a": strategy(name), "b": strategy("greedy")}) for _ in "12"]
    assert ends[0] == ends[1]


def test_the_strong_one_wins_by_a_wide_margin() -> None:
    clocks = {name: Clock() for name in (*NAMES, QUICK)}
    for other in ("greedy", "minimax", "random"):
        score = compare(game, Config(), (QUICK, other), 12, 1, clocks)
        assert score.rate > 0.75, other


def test_the_strong_one_stays_within_its_nodes_on_a_large_board() -> None:
    state = game.setup(["a", "b"], Config(rows=8, columns=8, holes=0), seed=1).commit(None).commit(None)
    player = build("fish", "strong")
    ask = state.ask()
    assert ask is not None
    start = time.process_time()
    state.commit(player.placement(ask.view))
    assert time.process_time() - start < 0.5  # a tenth of that here; machines differ
    assert player.left >= -1


def brute(position: Any, me: int, turns: int) -> int:
    """Minimax as the rules state it, without pruning: my score after so many of my turns."""
    if position.is_over or turns == 0:
        return int(position.points[me])
    values = [brute_after(position, move, me, turns) for move in position.legal_moves()]
    return max(values) if position.seat == me else min(values)


def brute_after(position: Any, move: Any, me: int, turns: int) -> int:
    """The same after a move; my turn is used up by moving, and by having to let it pass."""
    after = position.after(move)
    used = position.seat == me
    seat = (position.seat + 1) % len(position.names)
    while not after.is_over and seat != after.seat:
        used = used or seat == me
        seat = (seat + 1) % len(position.names)
    return brute(after, me, turns - used)


@pytest.mark.parametrize("depth", [1, 2])
def test_minimax_agrees_with_a_search_without_pruning(depth: int) -> None:
    for seed in range(12):
        state = game.setup(["a", "b", "c"][: 2 + seed % 2], Config(rows=4, columns=3, holes=1), seed)
        draw = random.Random(seed)
        while state.phase == "placing":
            ask = state.ask()
            assert ask is not None
            state = state.commit(None if ask.reply is None else draw.choice(state.legal_moves()))
        position = state.position
        if position.is_over:
            continue
        me = position.seat
        values = {move: brute_after(position, move, me, depth) for move in position.legal_moves()}
        best = min(move for move in values if values[move] == max(values.values()))
        ask = state.ask()
        assert ask is not None
        assert minimax.Strategy(depth).movement(ask.view) == best


def test_ties_go_to_the_smallest_move() -> None:
    state = {
        "players": [
            {"color": "red", "score": 0, "places": [[2, 1], [0, 0]]},
            {"color": "white", "score": 0, "places": [[3, 2]]},
        ],
        "board": [[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]],
    }
    assert minimax.Strategy(1).movement(view(course.position(state))) == ((0, 0), (1, 0))


def test_an_interval_of_certainty_is_not_a_point() -> None:
    low, high = wilson(1.0, 200)
    assert 0.97 < low < 1
    assert high == pytest.approx(1)
