"""What a strategy is given survives the way into a box, and helps it to look ahead."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.games.fish import Config, Illegal, Move, Outcome, State, Tile, View, adapter, game


def midgame(moves: int = 11) -> State:
    state = game.setup(["a", "b"], seed=3).commit(None).commit(None)
    for _ in range(moves):
        state = state.commit(state.legal_moves()[0])
    return state


def seen(state: State) -> View:
    ask = state.ask()
    assert ask is not None
    assert isinstance(ask.view, View)
    return ask.view


def test_every_view_arrives_in_the_box_as_it_was_sent() -> None:
    inside = adapter()
    state = game.setup(["a", "b"], seed=3)
    methods = set()
    while (ask := state.ask()) is not None:
        methods.add(ask.method)
        (arrived,) = inside.arguments(ask.method, msgspec.msgpack.encode(ask.view))
        assert type(arrived) is type(ask.view)
        assert arrived == ask.view
        if isinstance(arrived, View):
            assert arrived.position == state.position
            assert arrived.legal_moves() == state.legal_moves()
        state = state.commit(None if ask.reply is None else state.legal_moves()[-1])
    assert methods == {"setup", "placement", "movement", "game_over"}


def test_the_reason_of_a_kick_arrives_as_text() -> None:
    assert adapter().arguments("kicked", msgspec.msgpack.encode("late")) == ("late",)


def test_a_view_never_carries_the_seed() -> None:
    # All that a view holds is on the table: two seeds that deal the same board give the same view.
    board = Config(board=((1, 2, 3), (4, 5, 1), (2, 3, 4)), colors="in order")
    assert seen(game.setup(["a", "b"], board, seed=1)) == seen(game.setup(["a", "b"], board, seed=2))


def test_a_view_answers_what_a_student_would_ask() -> None:
    view = seen(midgame())
    assert (view.me, view.phase, view.turn) == (view.mover, "moving", 11)
    assert view.scores == {player.name: player.score for player in view.players}
    move = view.legal_moves()[0]
    assert isinstance(move, Move)
    assert view.fish_gained(move) == view.board[move.start.row][move.start.col]
    assert view.check(move) is None
    assert view.after(move).scores[view.me] == view.scores[view.me] + view.fish_gained(move)
    assert view.check([[0, 0], [0, 0]]) is not None
    with pytest.raises(Illegal):
        view.after([[0, 0], [0, 0]])


def test_placing_earns_nothing_yet() -> None:
    view = seen(midgame(0))
    assert view.phase == "placing"
    assert view.legal_moves() == view.free_tiles()
    assert {view.fish_gained(tile) for tile in view.free_tiles()} == {0}
    assert view.after(view.free_tiles()[0]).penguins_of(view.me) == (view.free_tiles()[0],)


def test_news_is_what_happened_since_my_last_turn() -> None:
    state = midgame(6)
    assert (seen(state).me, seen(state).news) == ("a", state.history[5:])
    assert seen(midgame(0)).news == ()


def test_a_search_on_views_plays_by_the_same_rules_as_the_game() -> None:
    state = midgame(8)
    position = seen(state).position
    while not position.is_over:
        move = position.legal_moves()[-1]
        state, position = state.commit(move), position.after(move)
        assert state.position == position
    assert state.is_over


class Index:
    """A number of another package."""

    def __index__(self) -> int:
        return 2


class Broken:
    def __index__(self) -> int:
        raise RuntimeError


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        (Tile(1, 2), [1, 2]),
        ((1, 2), [1, 2]),
        (Move(Tile(1, 2), Tile(3, 2)), [[1, 2], [3, 2]]),
        ([[1, 2], (3, Index())], [[1, 2], [3, 2]]),
        ("pass", "pass"),
        (None, None),
        ([True, 1.5], [True, 1.5]),
        ([[[1, 2], 3], {}], [[[1, 2], 3], {}]),
    ],
)
def test_answers_become_plain_data(answer: Any, plain: Any) -> None:
    assert adapter().answer("movement", answer) == plain


def test_a_wrong_answer_never_raises_on_its_way_out() -> None:
    endless: list[Any] = []
    endless.extend([endless, endless])
    broken = Broken()
    assert adapter().answer("placement", broken) is broken
    adapter().answer("movement", endless)
    assert len(adapter().answer("movement", list(range(10**6)))) < 10


def test_the_outcome_arrives_as_it_was_sent() -> None:
    sent = Outcome(True, (("a",), ("b",)), {"a": 3, "b": 1}, ())
    assert adapter().arguments("game_over", msgspec.msgpack.encode(sent)) == (sent,)
