"""What a strategy is given tells it no more than it may know, and helps it to look ahead."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.games.tsuro import Config, Illegal, Placement, Square, State, Tile, View, adapter, game

NAMES = ["ada", "bob", "cyd"]


def after(turns: int, config: Config | None = None, seed: int = 0) -> State:
    """A game after so many moves, the first legal one each time."""
    state = game.setup(NAMES, config, seed)
    while (ask := state.ask()) is not None and (ask.reply is None or state.turn < turns):
        state = state.commit(None if ask.reply is None else ask.view.legal_moves()[0])
    return state


def seen(state: State) -> View:
    ask = state.ask()
    assert ask is not None
    assert isinstance(ask.view, View)
    return ask.view


def test_a_view_says_who_and_where_one_is() -> None:
    view = seen(after(4))
    assert (view.me, view.seat, view.color, view.phase, view.turn, view.round) == ("bob", 1, "black", "moving", 4, 1)
    assert view.avatar == view.position.avatar(1)
    assert view.square == view.position.looks_at(1)
    assert len(view.hand) == 2
    assert view.scores == dict.fromkeys(NAMES, 0)
    assert seen(game.setup(NAMES)).avatar is None
    assert seen(game.setup(NAMES)).hand == ()


def test_a_view_depends_on_nothing_that_is_still_hidden() -> None:
    # The same tiles so far, others to come.
    first = tuple(range(13))
    one = seen(after(4, Config(tiles=(*first, 20, 21, 22)), seed=1))
    other = seen(after(4, Config(tiles=(*first, 32, 33)), seed=2))
    assert one == other
    assert msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)


def test_history_is_everything_and_news_what_came_since_my_last_action() -> None:
    state = after(5)
    assert seen(state).history == state.history
    assert [entry.player for entry in seen(state).news] == ["ada", "bob"]
    kicked = state.kick("ada")
    assert [entry.player for entry in seen(kicked).news] == ["ada", "bob", "ada"]
    assert seen(kicked).news[-1].action is None
    assert seen(after(0)).news == ()


def test_looking_ahead_gives_the_position_the_game_would_have() -> None:
    for turns in (1, 6):
        state = after(turns)
        view = seen(state)
        for move in view.legal_moves()[:8]:
            assert view.after(move) == state.commit(move).position


def test_looking_ahead_over_an_illegal_answer_says_why() -> None:
    view = seen(after(4))
    spare = next(kind for kind in range(35) if kind not in view.hand)
    with pytest.raises(Illegal, match="you were given tiles"):
        view.after([spare, 0])
    assert view.check([spare, 0]) == seen(after(4)).check((spare, 0))
    assert view.check(view.legal_tiles()[0]) is None
    assert seen(game.setup(NAMES)).check([[0, 0], [1, 0], "E"]) == "you have not been given any tiles yet"


def test_a_hand_of_two_alike_tiles_lists_each_turn_once() -> None:
    view = seen(after(3, Config(tiles=(2,))))
    assert view.hand == (2, 2)
    assert view.legal_moves() == [(2, 0), (2, 90), (2, 180), (2, 270)]
    assert len(view.options()) == 8


class Index:
    """A number of another package."""

    def __index__(self) -> int:
        return 2


class Broken(list[Any]):
    def __getitem__(self, key: Any) -> Any:
        raise RuntimeError

    __iter__ = __len__ = __eq__ = __getitem__  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("method", "answer", "plain"),
    [
        ("move", Tile(1, 90), [1, 90]),
        ("move", (1, 90), [1, 90]),
        ("move", [Index(), 90], [2, 90]),
        ("move", "pass", "pass"),
        ("move", None, None),
        ("move", [True, 1.5], [True, 1.5]),
        ("move", list(range(10**6)), [0, 1, 2, 3]),
        ("initial_placement", Placement(Tile(1, 0), Square(2, 0), "C"), [[1, 0], [2, 0], "C"]),
        ("initial_placement", ((1, Index()), [2, 0], "C"), [[1, 2], [2, 0], "C"]),
        ("setup", "anything", "anything"),
    ],
)
def test_answers_become_plain_data(method: str, answer: Any, plain: Any) -> None:
    assert adapter().answer(method, answer) == plain


def test_no_method_of_a_strangers_class_runs_when_its_answer_is_read() -> None:
    assert adapter().answer("move", Broken([2, 0])) == [2, 0]
    view = seen(after(4))
    assert view.check(Broken([view.hand[0], 0])) == view.check([view.hand[0], 0])
    assert view.check(Broken([Broken(), 0])) == view.check([[], 0])


def test_the_reason_of_a_kick_arrives_as_text() -> None:
    assert adapter().arguments("kicked", msgspec.msgpack.encode("late")) == ("late",)
