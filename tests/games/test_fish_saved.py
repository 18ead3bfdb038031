"""A saved game loads to the same game; what no game could have saved is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.games.fish import State, game


def midgame() -> State:
    state = game.setup(["a", "b"], seed=3).commit(None).commit(None)
    for _ in range(11):
        state = state.commit(state.legal_moves()[0])
    return state


def test_what_is_saved_is_json_with_a_name_and_a_version() -> None:
    data = midgame().save()
    assert (data["game"], data["version"]) == ("fish", 1)
    assert json.loads(json.dumps(data)) == data
    assert data["history"][0]["action"] == [0, 0]
    assert [len(part) for part in data["history"][-1]["action"]] == [2, 2]


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data.pop("board"), "missing required field `board`"),
        (lambda data: data.update(game="q"), "Invalid enum value 'q'"),
        (lambda data: data.update(version=2), "version 2"),
        (lambda data: data.update(extra=1), "unknown field `extra`"),
        (lambda data: data.update(board=[[9]]), "has 9 fish"),
        (lambda data: data.update(board=[[1]]), "where there is no tile"),
        (lambda data: data.update(board="x"), "Expected `array`"),
        (lambda data: data["players"].pop(), "length >= 2"),
        (lambda data: data["players"][1].update(name="a"), "same name"),
        (lambda data: data["players"][1].update(color=data["players"][0]["color"]), "same color"),
        (lambda data: data["players"][1].update(score=-1), "Expected `int` >= 0"),
        (lambda data: data["players"][1]["penguins"].pop(), "has 3 penguins on the board and in hand, not 4"),
        (
            lambda data: data["players"][1].update(penguins=data["players"][0]["penguins"]),
            "two penguins stand on",
        ),
        (lambda data: data.update(kicked=["a"]), "not 0"),
        (lambda data: data.update(kicked=["z"]), "does not play"),
        (lambda data: data.update(mover="z"), "mover is none of the players"),
        (lambda data: data.update(calls=3), "too many calls"),
        (lambda data: data.update(kicked_after_the_end=1), "after the end"),
        (lambda data: data.update(round=99), "round begins after"),
        (lambda data: data.update(turn=1), "turns of the history"),
        (lambda data: data["history"][0].update(player="z"), "does not play"),
        (lambda data: data["history"][0].update(action="x"), "a placement is"),
        (lambda data: data["history"][0].update(turn=99), "turns of the history"),
    ],
)
def test_nonsense_is_refused(change: Change, sentence: str) -> None:
    data = midgame().save()
    change(data)
    with pytest.raises(ValueError, match=f"^not a saved game of Fish: .*{sentence}"):
        game.load(data)


def test_the_turn_cannot_be_with_a_player_who_can_do_nothing() -> None:
    data = game.setup(["a", "b"]).kick("a").save()
    data["mover"] = "a"
    with pytest.raises(ValueError, match="cannot be the turn of"):
        game.load(data)


@pytest.mark.parametrize("data", [None, [], "x", 3, {}])
def test_what_is_no_object_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="not a saved game of Fish"):
        game.load(data)
