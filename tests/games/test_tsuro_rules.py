"""The rules of Tsuro as tables: a board, a hand, a tile, what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.tsuro import COLORS, PORTS, TILES, Illegal, Position, Tile, course, exit_port, legal_options
from referee.games.tsuro.board import empty, grid
from referee.games.tsuro.rules import free_squares, inward_ports, judge_move, judge_placement
from referee.games.tsuro.tiles import EXITS, least_turned

Pats = list[list[Any]]
WHITE, BLACK, RED = 0, 1, 2

# Tile 34 sends every path back over the edge it came by; tile 2 lets all go straight on; tile 22 lets two
# pairs of neighbours turn back (AB, EF) and the others go straight on (CH, DG); tile 4 turns every corner.
BACK, STRAIGHT, MIXED, CORNERS = 34, 2, 22, 4


def outcomes(pats: Pats, color: str, hand: tuple[int, ...]) -> str:
    """One letter an option: L loops, C collides, S is a suicide, . is none of them."""
    options = course.position(pats).options(COLORS.index(color), hand)
    return "".join("L" if o.loopers else "C" if o.collides else "S" if o.suicide else "." for o in options)


def test_all_tiles_differ_however_they_are_turned() -> None:
    looks = [frozenset(EXITS[4 * kind : 4 * kind + 4]) for kind in range(35)]
    assert len(set(looks)) == 35
    assert sum(map(len, looks)) == len(set().union(*looks)) == 105  # all ways to join 8 ports in 4 pairs


@pytest.mark.parametrize("tile", TILES)
def test_paths_lead_there_and_back(tile: Tile) -> None:
    for port in PORTS:
        assert exit_port(tile, port) != port
        assert exit_port(tile, exit_port(tile, port)) == port


def test_a_quarter_turn_carries_every_port_two_on() -> None:
    assert exit_port(Tile(3, 0), "B") == "D"
    assert exit_port(Tile(3, 90), "D") == "F"
    assert exit_port(Tile(3, 180), "F") == "H"
    assert exit_port(Tile(3, 270), "H") == "B"


def test_a_tile_that_looks_the_same_turned_is_told_by_its_least_turn() -> None:
    assert [least_turned(Tile(BACK, degrees)) for degrees in (0, 90, 180, 270)] == [Tile(BACK, 0)] * 4
    assert least_turned(Tile(MIXED, 270)) == Tile(MIXED, 90)
    assert least_turned(Tile(6, 270)) == Tile(6, 270)


@pytest.mark.parametrize(("width", "height"), [(3, 3), (10, 10), (4, 7)])
def test_looking_back_across_an_edge_one_sees_where_one_came_from(width: int, height: int) -> None:
    around = grid(width, height)
    for spot, facing in enumerate(around.across):
        assert facing == -1 or around.across[facing] == spot
    assert len(around.rim) == len(set(around.rim)) == 2 * (width + height) - 4
    assert [around.rim[0], around.rim[-1]] == [1, 0]


def test_the_edge_is_told_clockwise_from_the_square_beside_the_corner() -> None:
    squares = free_squares(empty(3, 4, 3))
    assert squares == [(1, 0), (2, 0), (2, 1), (2, 2), (2, 3), (1, 3), (0, 3), (0, 2), (0, 1), (0, 0)]


def test_all_who_look_at_the_square_move_and_nobody_else() -> None:
    # White and black both look at (1, 1); red is elsewhere.
    pats: Pats = [[[0, 0], "white", "E", 1, 0], [[0, 0], "black", "C", 0, 1], [[0, 0], "red", "A", 5, 9]]
    position = course.position(pats)
    option = position.options(WHITE, (STRAIGHT,))[0]
    after = position.after(option)
    assert [after.avatar(seat) for seat in (WHITE, BLACK, RED)] == [((1, 1), "E"), ((1, 1), "C"), ((5, 9), "A")]
    assert after.tile((1, 1)) == (STRAIGHT, 0)
    assert after.looks_at(WHITE) == (1, 2)


def test_a_path_is_followed_over_all_tiles_to_an_empty_square() -> None:
    pats: Pats = [[[0, 0], "white", "D", 0, 0], [[STRAIGHT, 0], 2, 0], [[CORNERS, 0], 3, 0]]
    before = course.position(pats)
    after = before.after(before.options(WHITE, (STRAIGHT,))[0])
    assert after.avatar(WHITE) == ((3, 0), "F")  # straight over two squares, then round the corner from G to F
    assert after.looks_at(WHITE) == (3, 1)


def test_who_leaves_the_board_is_gone() -> None:
    before = course.position([[[0, 0], "white", "C", 0, 0], [[0, 0], "black", "A", 5, 9]])
    option = before.options(WHITE, (CORNERS,))[0]
    assert before.after(option).alive == (BLACK,)
    assert before.after(option).tile((1, 0)) == (CORNERS, 0)


def test_a_tile_that_loops_somebody_is_not_placed_and_the_loopers_are_out() -> None:
    # White goes round for ever; black, who looks at the same square, stays where it is.
    before = course.position([[[BACK, 0], "white", "E", 4, 0], [[0, 0], "black", "C", 3, 1]])
    option = before.options(WHITE, (BACK,))[0]
    assert option.loopers == (WHITE,)
    after = before.after(option)
    assert (after.alive, after.tiles) == ((BLACK,), before.tiles)
    assert after.avatar(BLACK) == before.avatar(BLACK)


# The actor leaves by the upper edge and its neighbour blue is led to the port on which white stands.
CROWD: Pats = [[[2, 0], "red", "C", 0, 0], [[2, 0], "blue", "B", 1, 1], [[2, 0], "white", "D", 2, 0]]
CORNER: Pats = [[[BACK, 0], "red", "C", 0, 0]]


@pytest.mark.parametrize(
    ("pats", "hand", "outcome", "legal"),
    [
        # Straight on and round corners are both fine in the middle of the edge.
        ([[[0, 0], "red", "E", 4, 0]], (STRAIGHT, CORNERS), "........", "yyyyyyyy"),
        # Back over the edge one came by, and so round for ever between two tiles.
        ([[[BACK, 0], "red", "E", 4, 0]], (BACK, STRAIGHT), "LLLL....", "nnnnyyyy"),
        ([[[BACK, 0], "red", "E", 4, 0]], (BACK, BACK), "LLLLLLLL", "yyyyyyyy"),
        # Along the edge, and off the board.
        (CORNER, (CORNERS, STRAIGHT), "SSSS....", "nnnnyyyy"),
        (CORNER, (CORNERS, CORNERS), "SSSSSSSS", "yyyyyyyy"),
        # Not all options loop and not all are suicides: nothing is legal.
        (CORNER, (CORNERS, BACK), "SSSSLLLL", "nnnnnnnn"),
        # Somebody else's loop is a loop as well; to run into a dead end behind it is a suicide.
        ([[[0, 0], "red", "C", 0, 5], [[BACK, 0], "blue", "H", 2, 5]], (BACK, STRAIGHT), "LLLLSSSS", "nnnnnnnn"),
        # Two who come towards each other go past each other.
        ([[[0, 0], "red", "C", 0, 5], [[0, 0], "blue", "H", 2, 5]], (STRAIGHT, STRAIGHT), "........", "yyyyyyyy"),
        # To end where another stands is legal, even when the actor itself leaves by it, and it is no suicide.
        ([[[2, 0], "red", "D", 0, 0], [[2, 0], "blue", "D", 2, 0]], (STRAIGHT, STRAIGHT), "CCCCCCCC", "yyyyyyyy"),
        (CROWD, (CORNERS, CORNERS), "CCCCCCCC", "yyyyyyyy"),
    ],
)
def test_what_each_option_does_and_whether_it_is_legal(
    pats: Pats, hand: tuple[int, ...], outcome: str, legal: str
) -> None:
    assert outcomes(pats, "red", hand) == outcome
    position = course.position(pats)
    allowed = legal_options(position.options(RED, hand))
    assert "".join("y" if option in allowed else "n" for option in position.options(RED, hand)) == legal


def test_those_who_already_share_a_port_do_not_collide_again() -> None:
    together: Pats = [[[0, 0], "red", "E", 4, 0], [[0, 0], "blue", "E", 4, 0]]
    assert outcomes(together, "red", (STRAIGHT,)) == "...."


@pytest.mark.parametrize(
    ("pats", "hand", "answer", "why"),
    [
        (CORNER, (CORNERS, STRAIGHT), [CORNERS, 0], "that tile sends you off the board while (2, 0) would not"),
        (
            [[[BACK, 0], "red", "E", 4, 0], [[BACK, 0], "blue", "C", 3, 1]],
            (BACK, 5),
            [BACK, 90],
            "that tile sends you and blue round a loop while (5, 0) would not",
        ),
        (
            CORNER,
            (CORNERS, BACK),
            [CORNERS, 0],
            "that tile sends you off the board while (34, 0) would not; here none of your options is legal",
        ),
        (CORNER, (CORNERS, STRAIGHT), [7, 0], "you were given tiles 4 and 2, not 7"),
        (CORNER, (CORNERS, STRAIGHT), [2, 45], "a move is [index, degrees]: an index from 0 to 34, and 0, 90,"),
        (
            CORNER,
            (CORNERS, STRAIGHT),
            [35, 0],
            "a move is [index, degrees]: an index from 0 to 34, and 0, 90, 180 or 270 degrees, not (35, 0)",
        ),
        (CORNER, (CORNERS, STRAIGHT), [2, 10**5000], "a move is [index, degrees]: an index from 0 to 34, and 0, 90,"),
        (CORNER, (CORNERS, STRAIGHT), [2, False], "a move is [index, degrees]: an index from 0 to 34, and 0, 90,"),
        (CORNER, (CORNERS, STRAIGHT), "pass", "a move is [index, degrees]: an index from 0 to 34, and 0, 90,"),
        (CORNER, (CORNERS, STRAIGHT), [[], {}], "a move is [index, degrees]: an index from 0 to 34, and 0, 90,"),
    ],
)
def test_an_illegal_move_is_refused_with_a_sentence(pats: Pats, hand: tuple[int, ...], answer: Any, why: str) -> None:
    with pytest.raises(Illegal) as refusal:
        judge_move(course.position(pats), RED, hand, answer)
    assert str(refusal.value).startswith(why)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ([[7, 0], [4, 4], "A"], "(4, 4) is not at the edge of the board"),
        ([[7, 0], [0, 0], "C"], "(0, 0) already holds a tile"),
        ([[7, 0], [1, 0], "C"], "(1, 0) is next to the tile on (0, 0)"),
        ([[7, 0], [3, 0], "B"], "port B of (3, 0) looks off the board; these look inward: C, D, E, F, G, H"),
        ([[7, 0], [9, 9], "E"], "port E of (9, 9) looks off the board; these look inward: A, B, G, H"),
        ([[7, 0], [10, 0], "C"], "(10, 0) is not on the board: x goes from 0 to 9, y from 0 to 9"),
        ([[7, 0], [10**5000, 0], "C"], "that is not on the board"),
        ([[6, 0], [3, 0], "C"], "you were given tiles 7, 8 and 9, not 6"),
        (
            [[7, 0], [3, 0], "Z\x1b"],
            "a first placement is [[index, degrees], [x, y], port]: the port must be a letter from A to H, "
            "not 'Z\\x1b'",
        ),
        ([[7, 0], [3, 0], "Z" * 99], "a first placement is [[index, degrees], [x, y], port]: the port must be"),
        ([[7, 0], [3, None], "C"], "a first placement is [[index, degrees], [x, y], port]: x and y must be integers"),
        ([[7], [3, 0], "C"], "a first placement is [[index, degrees], [x, y], port]: an index from 0 to 34"),
        ([7, 0], "a first placement is [[index, degrees], [x, y], port]"),
    ],
)
def test_an_illegal_placement_is_refused_with_a_sentence(answer: Any, why: str) -> None:
    with pytest.raises(Illegal) as refusal:
        judge_placement(course.position([[[34, 0], "white", "C", 0, 0]]), (7, 8, 9), answer)
    assert str(refusal.value).startswith(why)


def test_a_placement_may_go_wherever_it_is_said_it_may() -> None:
    position: Position = course.position([[[34, 0], "white", "C", 0, 0], [[34, 0], "black", "A", 5, 9]])
    squares = free_squares(position)
    assert len(squares) == 36 - 6
    for square in squares:
        for port in inward_ports(position, square):
            assert judge_placement(position, (7, 8, 9), [[9, 270], [*square], port]) == ((9, 270), square, port)


def test_boards_in_the_courses_form_come_back_as_they_were() -> None:
    pats: Pats = [[[2, 0], "red", "C", 0, 0], [[3, 90], 4, 0], [[2, 0], "blue", "B", 1, 1]]
    assert course.pats(course.position(pats)) == pats
