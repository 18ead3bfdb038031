"""What a person is shown to choose from: every tile turned each way, its paths, and what it would do."""

from __future__ import annotations

import re

import msgspec
import pytest

from referee.games.tsuro import Tile, View, course, exit_port, game
from referee.games.tsuro.choices import paths
from referee.games.tsuro.tiles import TILES

BACK, STRAIGHT, CORNERS = 34, 2, 4  # sends every path back; lets all go straight on; turns every corner
ROW = re.compile(r" *(\d+)  ([\d, ]+|any) +((?:[A-H]{2} ?){4}) *(.*)")


def seen(pats: list[list[object]], hand: tuple[int, ...]) -> View:
    """What red sees on a board in the course's form."""
    state = game.setup(["ada", "bob", "cyd"])
    while (ask := state.ask()) is not None and ask.reply is None:
        state = state.commit(None)
    assert ask is not None
    phase = "moving" if pats else "placing"
    view: View = msgspec.structs.replace(ask.view, me="cyd", hand=hand, phase=phase)
    return msgspec.structs.replace(view, position=course.position(pats)) if pats else view


def rows(view: View) -> list[tuple[str, ...]]:
    found = [ROW.fullmatch(line) for line in view.hand_text().splitlines()]
    return [tuple(part.strip() for part in row.groups()) for row in found if row is not None]


@pytest.mark.parametrize("tile", TILES)
def test_the_paths_shown_are_those_of_the_tile(tile: Tile) -> None:
    assert all(exit_port(tile, pair[0]) == pair[1] for pair in paths(tile).split())
    assert len({port for pair in paths(tile).split() for port in pair}) == 8


def test_a_hand_to_place_is_shown_in_every_turn_that_looks_different() -> None:
    assert rows(seen([], (BACK, 0, BACK))) == [
        ("34", "any", "AB CD EF GH", ""),
        ("0", "0, 180", "AE BF CH DG", ""),
        ("0", "90, 270", "AF BE CG DH", ""),
    ]


def test_what_each_turn_would_do_is_said() -> None:
    view = seen([[[0, 0], "red", "E", 4, 0], [[0, 0], "black", "A", 5, 9]], (STRAIGHT, 9))
    assert "your tile goes on (4, 1), and your path enters it at B" in view.hand_text()
    straight, *turned = rows(view)
    assert straight == ("2", "any", "AF BE CH DG", "you go to (4, 1) E, and look at (4, 2)")
    assert [row[3] for row in turned] == [
        "you go to (4, 1) E, and look at (4, 2)",
        "you go to (4, 1) E, and look at (4, 2)",
        "you go to (4, 1) C, and look at (5, 1)",
        "you go to (4, 1) G, and look at (3, 1)",
    ]


def test_what_is_not_allowed_is_marked_so() -> None:
    corner = seen([[[0, 0], "red", "C", 0, 0], [[0, 0], "black", "A", 5, 9]], (CORNERS, STRAIGHT))
    corners, straight = rows(corner)
    assert corners[3] == "not allowed: you leave the board"
    assert not straight[3].startswith("not allowed")
    looped = seen([[[BACK, 0], "red", "E", 4, 0], [[BACK, 0], "black", "C", 3, 1]], (BACK, 5))
    assert rows(looped)[0][3] == "not allowed: black and you would go round a loop for ever"


def test_who_else_goes_is_told() -> None:
    together = seen([[[0, 0], "red", "C", 0, 0], [[0, 0], "black", "H", 2, 0]], (CORNERS, CORNERS))
    assert rows(together)[0][3] == "you leave the board; black off the board"


def test_the_table_fits_a_terminal() -> None:
    view = seen([[[0, 0], "red", "E", 4, 0], [[0, 0], "black", "A", 5, 9]], (STRAIGHT, 9))
    assert max(map(len, view.hand_text().splitlines())) <= 100
