"""Boards and colors come out as configured, at random where nothing was said, and impossible wishes are refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.games.fish import Config, game
from referee.games.fish.config import COLORS

NAMES = ["a", "b", "c", "d"]


def board(seats: int = 2, seed: int = 0, **settings: Any) -> tuple[tuple[int, ...], ...]:
    return game.setup(NAMES[:seats], Config(**settings), seed).position.board


def test_unless_configured_it_is_five_by_five_with_random_holes_fish_and_colors() -> None:
    states = [game.setup(NAMES[:2], seed=seed) for seed in range(60)]
    boards = [state.position.board for state in states]
    assert {(len(rows), len(rows[0])) for rows in boards} == {(5, 5)}
    assert {fish for rows in boards for row in rows for fish in row} == {0, 1, 2, 3, 4, 5}
    assert len({sum(row.count(0) for row in rows) for rows in boards}) > 3
    assert {state.colors[0] for state in states} == set(COLORS)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (1, 9), (9, 1), (2, 5), (6, 6)])
def test_all_penguins_fit_on_a_random_board(seats: int, rows: int, columns: int) -> None:
    for seed in range(20):
        tiles = [fish for row in board(seats, seed, rows=rows, columns=columns) for fish in row if fish]
        assert len(tiles) >= (6 - seats) * seats


def test_the_same_seed_gives_the_same_game_and_another_another() -> None:
    assert game.setup(NAMES, seed=5) == game.setup(NAMES, seed=5)
    assert game.setup(NAMES, seed=5) != game.setup(NAMES, seed=6)


def test_holes_can_be_counted_or_named() -> None:
    assert sum(row.count(0) for row in board(holes=7)) == 7
    named = board(holes=((0, 0), (4, 4)))
    assert named[0][0] == named[4][4] == 0
    assert sum(row.count(0) for row in named) == 2


def test_the_fish_can_be_the_same_everywhere() -> None:
    assert board(rows=3, columns=4, holes=0, fish=2) == ((2, 2, 2, 2),) * 3


def test_a_given_board_is_padded_with_holes() -> None:
    assert board(board=((1, 2), (3, 4, 5), ())) == ((1, 2, 0), (3, 4, 5), (0, 0, 0))


def test_colors_can_be_dealt_in_order() -> None:
    assert game.setup(NAMES[:3], Config(colors="in order")).colors == ("red", "white", "brown")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rows": 0}, "at least one row"),
        ({"rows": 100, "columns": 100}, "at most 400 tiles"),
        ({"fish": 0}, "1 to 5 fish"),
        ({"fish": 6}, "1 to 5 fish"),
        ({"holes": -1}, "-1 holes"),
        ({"holes": [[5, 0]]}, r"hole \(5, 0\) is not on a board of 5 x 5"),
        ({"board": []}, "at least one tile"),
        ({"board": [[], []]}, "at least one tile"),
        ({"board": [[0, 0]]}, "no tile at all"),
        ({"board": [[1, 6]]}, r"\(0, 1\) has 6 fish"),
        ({"board": [[1] * 500]}, "at most 400"),
        ({"board": [[1.5]]}, "Expected `int`"),
        ({"colors": "blue"}, "Invalid enum value 'blue'"),
        ({"size": 3}, "unknown field `size`"),
    ],
)
def test_an_impossible_configuration_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        msgspec.convert(settings, Config)


@pytest.mark.parametrize("settings", [{"rows": 2, "columns": 3}, {"holes": 18}, {"holes": 99}])
def test_a_board_too_small_for_the_penguins_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"leaves \d+ tiles for the 8 penguins of 2 players"):
        game.setup(NAMES[:2], Config(**settings))


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_wrong_number_of_players_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        game.setup([str(number) for number in range(count)])


@pytest.mark.parametrize("names", [["a", "a"], ["a", 1]])
def test_players_need_different_names(names: list[Any]) -> None:
    with pytest.raises(ValueError, match="different names"):
        game.setup(names)
