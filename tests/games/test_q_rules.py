"""What Q allows, the sentence it gives for everything else, and what a placement scores."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games import q
from referee.games.game import Illegal
from referee.games.q import rules
from tests.games.q_positions import at, chart, positions, table, tile


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ((at(0, 1, "b^"),), "you hold no blue diamond"),
        ((at(0, 1, "g*"), at(0, 2, "g*")), "you hold no further green star"),
        ((at(0, 0, "r#"),), "(0, 0) is taken by a red star"),
        ((at(3, 4, "r#"),), "(3, 4) touches no tile"),
        (
            (at(0, 1, "b%"),),
            "a blue clover does not fit at (0, 1): its left and right neighbours (red star) "
            "must all share its shape or all share its colour",
        ),
        (
            (at(1, 0, "b%"),),
            "a blue clover does not fit at (1, 0): its upper and lower neighbours (red star) "
            "must all share its shape or all share its colour",
        ),
        (
            (at(0, 1, "r#"), at(1, 0, "g*")),
            "the tiles of one turn must all lie in one row or all in one column, not on (0, 1), (1, 0)",
        ),
        (
            tuple(at(place, place, "r#") for place in range(9)),
            "the tiles of one turn must all lie in one row or all in one column, not on (0, 0), (1, 1), (2, 2), "
            "(3, 3), (4, 4), (5, 5) and 3 more",
        ),
        ("exchange", "you cannot exchange 3 tiles: the pile has 1 tile left"),
        ([], 'a placement has at least one tile; to put down nothing answer "pass"'),
        ([[[0, True], ["star", "red"]]], "a place is [row, column], two whole numbers"),
        ([[[0, 1.0], ["star", "red"]]], "a place is [row, column], two whole numbers"),
        ([[[0, 10**9], ["star", "red"]]], "no place is farther than 1000000 rows or columns from (0, 0)"),
        ([[[0, 1], ["star", "red"]]] * 1000, "a placement has at most 256 tiles"),
    ],
)
def test_an_illegal_action_is_refused_with_a_sentence(action: Any, sentence: str) -> None:
    state = table(["r# g* b%", "r*"], pile="r*")
    assert state.check(action) == sentence
    ask = state.ask()
    assert ask is not None
    assert ask.view.check(action) == sentence
    with pytest.raises(Illegal) as told:
        state.commit(action)
    assert str(told.value) == sentence


@pytest.mark.parametrize(
    "action",
    [
        None, 7, True, "PASS", "replace", {}, {"row": 0}, object(), [None], [[]], [[0, 1]], [[[0, 1]]],
        [[0, 1], ["star", "red"]], [[[0, 1], "red star"]], [[[0], ["star", "red"]]], [[["0", "1"], ["star", "red"]]],
        [[[0, 1], 12]], [[[0, 1], ["star", "red", "big"]]], b"pass", iter(()), float("nan"),
    ],
)  # fmt: skip
def test_what_is_no_answer_at_all_is_told_the_form(action: Any) -> None:
    why = table(["r# g* b%", "r*"]).check(action)
    assert why is not None
    assert why.startswith(
        ('answer "pass", "exchange" or a list of [[row, column]', "a place is [row", "a tile is [shape")
    )


def test_an_orange_tile_has_its_article() -> None:
    state = table(["o# r%", "r*"], drawing="o*")
    assert state.check([[[0, 0], ["square", "orange"]]]) == "(0, 0) is taken by an orange star"
    state = table(["o#", "r*"])
    why = state.check([[[0, 1], ["square", "orange"]]])
    assert why is not None
    assert why.startswith("an orange square does not fit at (0, 1)")


def test_an_empty_list_is_for_the_rules_to_refuse() -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode([]), type=rules.Reply) == []


def test_a_list_that_holds_itself_is_illegal() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert table(["r#", "r*"]).check(endless) is not None


def test_a_tile_written_colour_first_is_told_the_words() -> None:
    why = table(["r#", "r*"]).check([[[0, 1], ["red", "square"]]])
    assert why is not None
    assert why.startswith("a tile is [shape, color], one of star, 8star, square")


class Liar(list[Any]):
    """A list that would answer any question with an exception."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __iter__(self) -> Any:
        raise RuntimeError

    __hash__ = None


def test_objects_that_lie_are_not_asked() -> None:
    state = table(["r#", "r*"])
    liar = Liar([1])
    for action in (
        liar,
        [liar],
        [[liar, tile("r#")]],
        [[[0, liar], tile("r#")]],
        [[[0, 1], liar]],
        [[[0, 1], [liar, liar]]],
    ):
        assert state.check(action) is not None


GARBAGE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.binary(max_size=4)
    | st.sampled_from([*q.SHAPES, *q.COLORS, "pass", "exchange"])
    | st.sampled_from(q.KINDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=12,
)


@given(GARBAGE)
@settings(max_examples=200)
def test_garbage_is_illegal_and_never_another_exception(action: Any) -> None:
    state = table(["r# g* b%", "r*"], pile="r*")
    why = state.check(action)
    if why is None:
        assert rules.read(action) in (q.PASS, *state_moves(state))
    else:
        with pytest.raises(Illegal):
            state.commit(action)


def state_moves(state: q.State) -> list[q.Action]:
    ask = state.ask()
    assert ask is not None
    moves: list[q.Action] = ask.view.legal_moves()
    return moves


def test_plain_and_typed_answers_are_the_same() -> None:
    state = table(["r# g* b%", "r*"])
    typed = state.commit((at(0, 1, "r#"), at(0, -1, "g*")))
    listed = state.commit([[[0, 1], ["square", "red"]], [[0, -1], ["star", "green"]]])
    mixed = state.commit([((0, 1), ["square", "red"]), [[0, -1], tile("g*")]])
    assert typed == listed == mixed


def test_the_reply_type_takes_every_legal_plain_answer_and_bounds_the_rest() -> None:
    answers = ["pass", "exchange", [[[0, 1], ["square", "red"]], [[0, -1], ["star", "green"]]]]
    for answer in answers:
        assert rules.read(msgspec.convert(answer, rules.Reply)) == rules.read(answer)
    for wrong in ("stop", [[[0, 1], ["red", "square"]]], [[[0, 2**40], ["square", "red"]]],
                  [[[0, 1], ["square", "red"]]] * 257):  # fmt: skip
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, rules.Reply)


@pytest.mark.parametrize(
    ("drawing", "places", "points"),
    [
        ("r* r#", [(0, 1)], 1 + 2),
        ("r* r# r%", [(0, 0), (0, 2)], 2 + 3),  # one segment counts once
        ("r* r# . r%\n. g# . g%", [(0, 1), (0, 3)], 2 + 2 + 2 + 2),  # a gap makes two of them
        ("r* g* b* y* o* p*", [(0, 5)], 1 + 6 + 8),  # all colours
        ("r*\nr8\nr#\nro\nr%\nr^", [(5, 0)], 1 + 6 + 8),  # all shapes
        ("r* g* b* y* o* o*", [(0, 5)], 1 + 6),  # no Q: a colour is missing
        ("r* g* b* y* o* p* r*", [(0, 6)], 1 + 7),  # no Q: seven tiles
        ("r* g8 b# yo o% p^", [(0, 0)], 1 + 6 + 8),  # all shapes and all colours are one Q
        ("r*", [(0, 0)], 1),
    ],
)
def test_points(drawing: str, places: list[q.Place], points: int) -> None:
    assert rules.points(chart(drawing), places, q_bonus=8) == points


@given(positions(kicks=False))
@settings(max_examples=30)
def test_every_legal_move_commits_and_scores_what_the_view_says(state: q.State) -> None:
    ask = state.ask()
    if ask is None or ask.reply is None:
        return
    moves = state_moves(state)
    assert len(moves) == len(set(moves))
    for move in moves:
        after = state.commit(move)
        assert after.turn == state.turn + 1
        assert after.scores()[ask.player] - state.scores()[ask.player] == ask.view.points(move)


@given(
    positions(kicks=False),
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(0, 9)), min_size=1, max_size=3),
)
@settings(max_examples=60)
def test_every_other_placement_is_illegal(state: q.State, sketch: list[tuple[int, int, int]]) -> None:
    ask = state.ask()
    if ask is None or ask.reply is None:
        return
    held = [*ask.view.hand, *q.KINDS]
    placement = tuple(((row, column), held[index]) for row, column, index in sketch)
    assert (state.check(placement) is None) == legal_by_the_book(state, ask.view.hand, placement)


def legal_by_the_book(state: q.State, hand: tuple[q.Tile, ...], placement: q.Placement) -> bool:
    left, map = list(hand), dict(state.map.tiles)
    if len({row for (row, _), _ in placement}) > 1 and len({column for (_, column), _ in placement}) > 1:
        return False
    for (row, column), new in placement:
        lines = [[(row, column - 1), (row, column + 1)], [(row - 1, column), (row + 1, column)]]
        beside = [[map[near] for near in line if near in map] for line in lines]
        if new not in left or (row, column) in map or not any(beside):
            return False
        for line in beside:
            if any(near.shape != new.shape for near in line) and any(near.color != new.color for near in line):
                return False
        left.remove(new)
        map[row, column] = new
    return True
