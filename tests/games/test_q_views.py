"""What a player is told, what it is not, and how it travels into a box and its answer out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from referee.games import q
from referee.games.game import Illegal
from referee.games.q import rules
from tests.games.q_positions import at, positions, table, tile, tiles


def view_of(state: q.State) -> q.View:
    ask = state.ask()
    assert ask is not None
    assert isinstance(ask.view, q.View)
    return ask.view


def test_a_view_holds_what_its_player_may_know() -> None:
    view = view_of(table(["r# b%", "g* g8", "y*"], pile="p^ p#", points=[3, 4, 5]).commit("pass").kick("C"))
    assert view.me == "B"
    assert view.hand == tiles("g* g8")
    assert view.pile == 3
    assert view.scores == {"A": 3, "B": 4, "C": 5}
    assert view.score == 4
    assert view.hand_sizes == {"A": 2, "B": 2, "C": 0}
    assert view.rivals == ("A",)
    assert view.players == ("A", "B", "C")
    assert view.kicked == ("C",)
    assert view.turn == 2
    assert view.phase == "playing"


@given(positions())
@settings(max_examples=40)
def test_a_view_does_not_change_with_what_is_hidden(state: q.State) -> None:
    ask = state.ask()
    if ask is None or ask.method not in ("setup", "take_turn"):
        return
    seat = state.players.index(ask.player)
    # Others hold other tiles, the pile lies the other way round: nothing of it may show.
    hands = tuple(
        hand if other == seat else tuple(q.KINDS[35 - tile] for tile in hand) for other, hand in enumerate(state.hands)
    )
    pile = tuple(q.KINDS[(tile + 7) % 36] for tile in reversed(state.pile))
    other = msgspec.structs.replace(state, hands=hands, pile=pile).ask()
    assert other is not None
    assert msgspec.msgpack.encode(other.view) == msgspec.msgpack.encode(ask.view)


@given(positions())
@settings(max_examples=40)
def test_whatever_is_asked_travels_through_the_adapter(state: q.State) -> None:
    ask = state.ask()
    if ask is None:
        return
    (arrived,) = q.adapter().arguments(ask.method, msgspec.msgpack.encode(ask.view))
    assert arrived == ask.view
    if isinstance(arrived, q.View):
        assert arrived.history == state.history
        assert arrived.map == q.Map(state.map.tiles)
    if ask.reply is not None:
        assert arrived.legal_moves() == ask.view.legal_moves()
        answer = q.adapter().answer(ask.method, arrived.legal_moves()[0])
        decoded = msgspec.msgpack.decode(msgspec.msgpack.encode(answer), type=ask.reply)
        assert state.commit(decoded) == state.commit(ask.view.legal_moves()[0])


@pytest.mark.parametrize("value", [None, 5, "pass", {"a": 1}, [1, 2], [[]], [[1, 2, 3]], [[[0, 1], "x"]], object()])
def test_the_adapter_passes_wrong_answers_on(value: Any) -> None:
    assert q.adapter().answer("take_turn", value) == value


def test_the_adapter_writes_tiles_as_words() -> None:
    plain = q.adapter().answer("take_turn", (at(0, 1, "r#"), [[0, 2], ["star", "red"]]))
    assert plain == [[(0, 1), ("square", "red")], [[0, 2], ["star", "red"]]]
    assert q.adapter().answer("setup", object()) is None


def test_legal_moves_come_by_tile_and_place_then_exchange_then_pass() -> None:
    view = view_of(table(["r# g* g*", "o%"], pile="p^ p^ p^"))
    around = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    expected: list[Any] = [((place, tile(code)),) for code in ("g*", "r#") for place in around]
    assert view.legal_moves() == [*expected, "exchange", "pass"]
    assert view_of(table(["b%", "o%"])).legal_moves() == ["pass"]


def test_after_shows_the_map_the_hand_and_the_score_but_nothing_drawn() -> None:
    view = view_of(table(["r# r8 b%", "o%"], pile="p^ p^ p^", points=[10, 0]))
    move = (at(0, 1, "r#"), at(0, 2, "r8"))
    after = view.after(move)
    assert after.map.get((0, 2)) == tile("r8")
    assert after.hand == tiles("b%")
    assert after.score == 15
    assert after.hand_sizes["A"] == 1
    assert view.points(move) == 5
    assert view.map.get((0, 1)) is None
    assert view.after("pass") == view
    assert view.after("exchange").hand == ()
    with pytest.raises(Illegal, match="touches no tile"):
        view.after((at(5, 5, "r#"),))


def test_placing_the_whole_hand_is_worth_the_finish_bonus() -> None:
    assert view_of(table(["r#", "o%"])).points((at(0, 1, "r#"),)) == 1 + 2 + 4


def test_news_are_what_happened_since_my_last_turn() -> None:
    state = table(["r# b%", "g% o%", "y% y%"], pile="y* y* y*")
    assert view_of(state).news == ()
    state = state.commit((at(0, 1, "r#"),)).commit(None)
    assert [entry.player for entry in view_of(state).news] == ["A"]
    state = state.commit("pass").kick("C")
    assert [(entry.player, entry.action) for entry in view_of(state).news] == [("B", "pass"), ("C", "kicked")]
    assert len(view_of(state).history) == 3


def test_history_speaks_of_those_who_sit_there_now() -> None:
    state = table(["r# b%", "g% o%"], pile="y*").commit("pass").reseated(["C", "D"])
    assert [(entry.player, entry.action) for entry in view_of(state).history] == [("C", "pass")]


def test_a_view_prints_what_a_strategy_can_read() -> None:
    view = view_of(table(["r# b%", "g% o%"], pile="y*").commit("pass"))
    assert "history=(Entry(turn=1, player='A', action='pass', points=0),)" in repr(view)
    assert "packed" not in repr(view)
    assert "map=Map(tiles={(0, 0): <Tile.RED_STAR: 0>})" in repr(view)


def test_history_is_written_in_the_form_of_answers() -> None:
    state = table(["r# b%", "g% o%"], pile="y*").commit((at(0, 1, "r#"),)).commit(None)
    entry = view_of(state).history[0]
    assert entry.action == (((0, 1), ("square", "red")),)
    assert rules.read(entry.action) == (at(0, 1, "r#"),)
