"""The rules of Fish as tables: a position, an action, what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.fish import Illegal, Move, Position, Tile, course, neighbours
from referee.games.fish.grid import grid

# Rows 0 and 2 lie left, rows 1 and 3 half a tile right of them:
#   (0,0)     (0,1)     (0,2)
#        (1,0)     (1,1)     (1,2)
BOARD = [[1, 2, 3], [4, 0, 5], [1, 1, 1], [2, 2, 2]]


FORM = "a movement is [[row, col], [row, col]], from where to where, not "


def table(*places: list[list[int]], board: list[list[int]] = BOARD) -> Position:
    colors = ("red", "white", "brown", "black")
    players = [{"color": color, "score": 0, "places": mine} for color, mine in zip(colors, places, strict=False)]
    return course.position({"players": players, "board": board})


@pytest.mark.parametrize(
    ("tile", "around"),
    [
        ((2, 1), [(0, 1), (1, 1), (3, 1), (4, 1), (3, 0), (1, 0)]),
        ((3, 1), [(1, 1), (2, 2), (4, 2), (5, 1), (4, 1), (2, 1)]),
    ],
)
def test_neighbours_go_clockwise_from_the_north(tile: tuple[int, int], around: list[tuple[int, int]]) -> None:
    assert list(neighbours(*tile)) == around


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 6), (6, 1), (5, 5), (4, 7)])
def test_lines_run_both_ways_over_the_same_tiles(rows: int, columns: int) -> None:
    tables = grid(rows, columns)
    for move, line in tables.lines.items():
        back = tables.lines[Move(move.end, move.start)]
        ends = 1 << line.start | 1 << line.end
        assert line.path | ends == back.path | ends
        assert line.move == move == Move(tables.tiles[line.start], tables.tiles[line.end])
    for cell, tile in enumerate(tables.tiles):
        near = {other for bit, other in tables.bits if tables.near[cell] & bit}
        assert near == {other for other in neighbours(*tile) if other in tables.cells}


def test_a_penguin_goes_any_way_in_a_straight_line_up_to_a_hole_or_a_penguin() -> None:
    position = table([[2, 1]], [[0, 1]])
    assert position.legal_moves() == [
        ((2, 1), (3, 1)),
        ((2, 1), (3, 0)),
        ((2, 1), (1, 0)),
        ((2, 1), (0, 0)),
    ]


def test_the_tile_left_behind_is_gone_and_its_fish_are_the_players() -> None:
    after = table([[1, 0]], [[3, 2]]).after([[1, 0], [0, 1]])
    assert after.board == ((1, 2, 3), (0, 0, 5), (1, 1, 1), (2, 2, 2))
    assert after.scores == {"red": 4, "white": 0}
    assert after.penguins_of("red") == ((0, 1),)
    assert after.player == "white"


def test_a_player_who_cannot_move_is_skipped() -> None:
    board = [[1, 1], [1, 0], [0, 0], [0, 0], [0, 0], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0], [1, 0]]
    position = table([[6, 0]], [[0, 0], [1, 0], [0, 1]], board=board)
    after = position.after([[6, 0], [8, 0]])
    assert after.player == "red"  # white is shut in on its three tiles
    assert after.after([[8, 0], [10, 0]]).is_over


def test_the_game_is_over_when_nobody_can_move() -> None:
    position = table([[0, 0]], [[1, 2]], board=[[3, 0, 0], [1, 0, 5]])
    after = position.after([[0, 0], [1, 0]])
    assert (after.phase, after.player, after.legal_moves()) == ("done", None, [])
    assert after.scores == {"red": 3, "white": 0}
    with pytest.raises(Illegal, match="over"):
        after.after([[1, 0], [0, 0]])


def test_equal_positions_are_equal_keys() -> None:
    one, other = table([[1, 0]], [[3, 2]]), table([[1, 0]], [[3, 2]])
    assert {one: 1}[other] == 1
    assert one.after([[1, 0], [0, 1]]) == other.after(Move(Tile(1, 0), Tile(0, 1)))
    assert one.after([[1, 0], [0, 1]]) != one.after([[1, 0], [0, 0]])


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ([[2, 2], [1, 2]], "you have no penguin on (2, 2); yours stand on (2, 1), (3, 2)"),
        ([[0, 1], [0, 0]], "you have no penguin on (0, 1); yours stand on (2, 1), (3, 2)"),
        ([[2, 1], [2, 1]], "a penguin must leave its tile, and (2, 1) is where it stands"),
        ([[2, 1], [1, 1]], "(1, 1) is a hole"),
        ([[2, 1], [0, 1]], "(0, 1) is taken by another player's penguin"),
        ([[2, 1], [0, 2]], "(1, 1) is a hole, and lies between (2, 1) and (0, 2)"),
        ([[2, 1], [2, 2]], "(2, 1) to (2, 2) is not a straight line over touching sides"),
        ([[2, 1], [4, 1]], "(4, 1) is not on the board, which goes from (0, 0) to (3, 2)"),
        ([[2, 1], [-1, 0]], "(-1, 0) is not on the board, which goes from (0, 0) to (3, 2)"),
        ([[10**5000, 1], [1, 0]], "you have no penguin on that tile; yours stand on (2, 1), (3, 2)"),
        ([[2, 1], [10**5000, 0]], "that tile is not on the board, which goes from (0, 0) to (3, 2)"),
        ([2, 1], FORM + "a pair of something else"),
        ([[2, 1]], FORM + "a list of 1"),
        ([[2, 1.0], [3, 1]], FORM + "a pair of something else"),
        ([[2, True], [3, 1]], FORM + "a pair of something else"),
        (None, FORM + "nothing"),
        ("up", FORM + "a value of type str"),
    ],
)
def test_an_illegal_movement_gets_a_sentence(action: Any, sentence: str) -> None:
    position = table([[2, 1], [3, 2]], [[0, 1]])
    assert position.check(action) == sentence
    with pytest.raises(Illegal) as refused:
        position.after(action)
    assert str(refused.value) == sentence


def test_an_obstacle_on_the_way_is_named_nearest_first() -> None:
    position = table([[6, 0]], [[2, 0]], board=[[1], [1], [1], [1], [0], [1], [1]])
    assert position.check([[6, 0], [0, 0]]) == "(4, 0) is a hole, and lies between (6, 0) and (0, 0)"
    position = table([[0, 0]], [[4, 0]], board=[[1], [1], [1], [1], [1], [1], [0]])
    assert position.check([[0, 0], [6, 0]]) == (
        "(4, 0) is taken by another player's penguin, and lies between (0, 0) and (6, 0)"
    )


def test_all_forms_of_a_movement_are_the_same_movement() -> None:
    position = table([[2, 1]], [[0, 1]])
    typed = Move(Tile(2, 1), Tile(3, 1))
    for form in (typed, [[2, 1], [3, 1]], ((2, 1), (3, 1)), [Tile(2, 1), (3, 1)]):
        assert position.legal(form) == typed
        assert isinstance(position.legal(form), Move)
        assert position.after(form) == position.after(typed)


def test_a_move_of_the_right_type_with_wrong_parts_is_illegal() -> None:
    position = table([[2, 1]], [[0, 1]])
    for wrong in (Move([2, 1], []), Move(Tile(2.0, 1), Tile(3, 1)), Move(None, None)):  # type: ignore[arg-type]
        assert position.check(wrong) is not None


def test_a_player_who_leaves_takes_its_penguins_and_leaves_the_ice() -> None:
    position = table([[2, 1], [3, 2]], [[0, 1]])
    after = position.without(0)
    assert after.board == position.board
    assert (after.player, after.penguins_of("red")) == ("white", ())
    assert Tile(2, 1) in after.free_tiles()
    assert position.without(1).player == "red"
