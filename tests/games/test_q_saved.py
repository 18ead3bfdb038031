"""A state saved anywhere loads again and plays on identically; nonsense is refused with a sentence."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings

from referee.games import q
from tests.games.q_positions import at, positions, random_action, set_up, table, tiles


def reloaded(state: q.State) -> q.State:
    return q.game.load(json.loads(json.dumps(state.save())))


@given(positions())
@settings(max_examples=60)
def test_a_saved_state_is_the_same_and_goes_on_the_same_way(state: q.State) -> None:
    again = reloaded(state)
    assert again == state
    assert again.save() == state.save()
    assert again.public() == state.public()
    ask, other = state.ask(), again.ask()
    assert other == ask
    if ask is not None and other is not None and ask.reply is not None:
        assert other.view.legal_moves() == ask.view.legal_moves()


def test_a_saved_state_names_its_game_and_version() -> None:
    saved = q.game.setup(["A", "B"]).save()
    assert (saved["game"], saved["version"]) == ("q", 1)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"game": "fish"}, "no saved game of Q"),
    ({"version": 2}, "not of version 1"),
    ({"more": 1}, "unknown field"),
    ({"players": ["A", "A"]}, "same name"),
    ({"players": ["A"]}, "as many hands and points as players"),
    ({"kicked": ["Z"]}, "kicked players"),
    ({"kicked": ["B"]}, "a kicked player holds tiles"),
    ({"points": [0]}, "as many hands and points"),
    ({"points": [0, True]}, "Expected `int`"),
    ({"hands": [[["star", "pink"]], []]}, "Invalid enum value"),
    ({"map": []}, "length >= 1"),
    ({"map": [[[0, 0], ["star", "red"]], [[0, 0], ["star", "red"]]]}, "two tiles lie on one place"),
    ({"current": 2}, "nobody in the game has the turn"),
    ({"drawn": 1}, "more tiles were drawn"),
    ({"waiting": [0]}, "exactly while setting up"),
    ({"waiting": [5]}, "waits to be called"),
    ({"stage": "setup"}, "exactly while setting up"),
    ({"stage": "end"}, "not ranked"),
    ({"stage": "dreaming"}, "Invalid enum value"),
    ({"final": [["A"]]}, "come too early"),
    ({"round_start": 9}, "its history"),
    ({"history": [{"turn": 1, "player": "Z", "action": "pass", "points": 0}]}, "its history"),
    ({"history": [{"turn": 10**30, "player": "A", "action": "pass", "points": 0}]}, "too large"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_nonsense_is_refused(change: dict[str, Any], sentence: str) -> None:
    saved = table(["r# b%", "g%"], pile="y*").save()
    assert q.game.load(saved) == table(["r# b%", "g%"], pile="y*")
    with pytest.raises(ValueError, match=sentence):
        q.game.load({**saved, **change})


@pytest.mark.parametrize("data", [None, 5, [], {}, {"game": "q", "version": 1}, "q"])
def test_what_is_no_state_at_all_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="saved game of Q"):
        q.game.load(data)


def test_a_field_left_out_is_refused() -> None:
    saved = table(["r# b%", "g%"]).save()
    for field in saved:
        with pytest.raises(ValueError, match="saved game of Q"):
            q.game.load({key: value for key, value in saved.items() if key != field})


def test_new_players_are_set_up_and_go_on_from_a_saved_state() -> None:
    state = table(["r# b%", "g% o%", "y%"], pile="y* y8", points=[1, 2, 3]).kick("A")
    resumed = q.game.setup(["Ann", "Bob", "Cy"], q.Config(state=state.save()))
    assert resumed.kicked == ("Ann",)
    assert [entry.player for entry in resumed.history] == ["Ann"]
    ask = resumed.ask()
    assert ask is not None
    assert (ask.player, ask.method, ask.view.hand) == ("Bob", "setup", tiles("g% o%"))
    going = set_up(resumed)
    assert (going.pile, going.points, going.turn) == (state.pile, state.points, state.turn)
    ask = going.ask()
    assert ask is not None
    assert (ask.player, ask.method) == ("Bob", "take_turn")


def test_tiles_just_drawn_are_in_the_hand_of_who_takes_over() -> None:
    state = table(["r# b%", "g% o%"], pile="y* y8").commit((at(0, 1, "r#"),))
    ask = q.game.setup(["Ann", "Bob"], q.Config(state=state.save())).ask()
    assert ask is not None
    assert (ask.method, ask.view.hand) == ("setup", tiles("y* b%"))


def test_a_resumed_game_keeps_its_place_in_the_round() -> None:
    state = table(["r# b%", "g% o%"], pile="y* y8").commit("pass")
    resumed = set_up(q.game.setup(["Ann", "Bob"], q.Config(state=state.save())))
    ask = resumed.ask()
    assert ask is not None
    assert ask.player == "Bob"
    assert resumed.commit("pass").is_over


def test_a_state_with_other_seats_or_of_a_finished_game_is_refused() -> None:
    with pytest.raises(ValueError, match="2 seats, not 3"):
        q.game.setup(["A", "B", "C"], q.Config(state=table(["r#", "g%"]).save()))
    over = table(["r#", "g%"]).commit((at(0, 1, "r#"),))
    with pytest.raises(ValueError, match="the saved game is over"):
        q.game.setup(["A", "B"], q.Config(state=over.save()))


def test_a_long_game_saved_now_and_then_ends_as_it_would_have() -> None:
    rng = random.Random(4)
    straight = broken = q.game.setup(["A", "B", "C"], seed=8)
    for step in range(300):
        ask = straight.ask()
        if ask is None:
            break
        action = None if ask.reply is None else random_action(straight, rng)
        straight, broken = straight.commit(action), broken.commit(action)
        if step % 7 == 0:
            broken = reloaded(broken)
    assert broken == straight


def test_who_had_the_turn_may_be_kicked_while_the_new_players_are_set_up() -> None:
    state = table(["r# b%", "g% o%", "y%"], pile="y* y8").commit((at(0, 1, "r#"),)).commit(None)
    resumed = q.game.setup(["Ann", "Bob", "Cy"], q.Config(state=state.save())).kick("Bob")
    ask = set_up(resumed).ask()
    assert ask is not None
    assert (ask.player, ask.method) == ("Cy", "take_turn")


def test_a_finished_game_reseated_keeps_its_ranks_under_the_new_names() -> None:
    over = table(["r#", "g%"]).commit((at(0, 1, "r#"),)).reseated(["Ann", "Bob"])
    assert over.is_over
    assert over.ranking() == [{"Ann"}, {"Bob"}]
    assert over.history[0].player == "Ann"
