"""A saved game of Tsuro that makes no sense is refused with a sentence; one written by hand plays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.games.tsuro import game

# Three players just before ada's second move, bob already gone.
SCENE: dict[str, Any] = {
    "game": "tsuro",
    "version": 1,
    "players": ["ada", "bob", "cyd"],
    "config": {"width": 4, "height": 4, "tiles": [2, 34]},
    "seed": 0,
    "stage": "moving",
    "seat": 0,
    "turn": 6,
    "round": 2,
    "dealt": 0,
    "tiles": [[[0, 0], [2, 0]], [[3, 3], [2, 0]]],
    "avatars": [[[0, 0], "C"], None, [[3, 3], "G"]],
    "fell": [None, 1, None],
    "kicked": [],
}


def test_a_scene_written_by_hand_plays() -> None:
    state = game.load(SCENE)
    ask = state.ask()
    assert ask is not None
    assert (ask.player, ask.view.hand, ask.view.square) == ("ada", (2, 34), (1, 0))
    assert state.commit([2, 0]).position.avatar(0) == ((1, 0), "C")
    assert "ada" in state.svg()
    assert "ada" in state.text()


def test_what_was_saved_is_plain_json() -> None:
    saved = game.load(SCENE).save()
    assert json.loads(json.dumps(saved)) == saved
    assert saved == {**SCENE, "history": [], "then": ["placing", 0]}


def changed(**fields: Any) -> dict[str, Any]:
    return {**SCENE, **fields}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({}, "no saved game of Tsuro"),
        (changed(game="fish"), "no saved game of Tsuro"),
        (changed(version=2), "no saved game of Tsuro"),
        (changed(extra=1), "no saved game of Tsuro"),
        (changed(players=["ada", "bob"], avatars=[None] * 2, fell=[None] * 2, stage="setup"), "3 to 5 players"),
        (changed(players=["ada", "bob", "ada"]), "same name"),
        (changed(config={"width": 2}), "no saved game of Tsuro"),
        (changed(turn=-1), "no saved game of Tsuro"),
        (changed(dealt=2**70), "no saved game of Tsuro"),
        (changed(avatars=[None, None]), "an entry for every player"),
        (changed(kicked=["zoe"]), "kicked must name players"),
        (changed(kicked=["bob", "bob"]), "kicked must name players"),
        (changed(kicked=["ada"]), "kicked has no avatar"),
        (changed(fell=[None, None, None]), "who is still in the game has an avatar"),
        (changed(stage="placing"), "unless its first tile is still to come"),
        (changed(stage="over"), "more than one avatar is left"),
        (changed(fell=[None, 3, None]), "fell in a round from 1"),
        (changed(fell=[1, 1, None]), "who fell has no avatar"),
        (changed(seat=1), "cannot be the one to be asked"),
        (changed(seat=3), "cannot be the one to be asked"),
        (changed(seat=40), "cannot be the one to be asked"),
        (changed(stage="over", fell=[1, 1, 1], avatars=[None] * 3), "cannot be the one to be asked"),
        (changed(tiles=[[[0, 0], [2, 0]], [[0, 0], [2, 0]]]), "holds two tiles"),
        (changed(tiles=[[[0, 0], [2, 45]]]), "there is no tile"),
        (changed(tiles=[[[4, 0], [2, 0]]]), "must be on the board"),
        (changed(avatars=[[[0, 0], "Z"], None, [[3, 3], "G"]]), "a port from A to H"),
        (changed(avatars=[[[0, 0], "A"], None, [[3, 3], "G"]]), "look at an empty square"),
        (changed(avatars=[[[1, 0], "C"], None, [[3, 3], "G"]]), "stand on a tile"),
        (changed(avatars=[[[0, -1], "C"], None, [[3, 3], "G"]]), "must be on the board"),
        (changed(history=[{"type": "kicked", "turn": 1, "player": "zoe", "round": 0}]), "players of the game"),
        (
            changed(history=[{"type": "placed", "turn": 1, "player": "ada", "action": [[2, 0], [9, 9], "C"]}]),
            "must be on the board",
        ),
        (
            changed(history=[{"type": "placed", "turn": 1, "player": "ada", "action": [[2, 1], [0, 0], "C"]}]),
            "a tile that does not exist",
        ),
        (
            changed(history=[{"type": "placed", "turn": 1, "player": "ada", "action": [[2, 0], [0, 0], "J"]}]),
            "not on a port",
        ),
    ],
)
def test_nonsense_is_refused_with_a_sentence(data: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        game.load(data)


@pytest.mark.parametrize("spoil", [str, lambda _: None, lambda _: [], lambda _: {}, lambda _: 1.5, lambda _: [[]]])
@pytest.mark.parametrize("field", sorted(SCENE))
def test_a_field_of_the_wrong_kind_is_refused(field: str, spoil: Callable[[Any], Any]) -> None:
    if spoil(0) == [] and field in ("kicked", "config"):
        return
    data = changed(**{field: spoil(SCENE[field])})
    if data == SCENE or (field, data[field]) in (("config", {}), ("game", "tsuro"), ("stage", "moving")):
        return
    with pytest.raises(ValueError):  # noqa: PT011  # any sentence will do: the fields differ in theirs
        game.load(data)
