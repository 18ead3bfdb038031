"""The positions of a benchmark: always the same for a seed, from all parts of games, and answerable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from referee import games
from referee.admission import UnfitSettings
from referee.referee import zygote_for
from referee.timing.positions import Sitting, StateError, drawn, saved
from sandbox import Zygote


@pytest.fixture(scope="module")
def zygotes() -> Iterator[dict[str, Zygote]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(zygote_for(games.get(name))) for name in ("fish", "q", "tsuro")}


def positions(zygotes: dict[str, Zygote], game: str, count: int, config: Any = None, seed: int = 0) -> list[Sitting]:
    return drawn(games.get(game), [], count, config=config, seed=seed, zygote=zygotes[game])


def ids(sittings: list[Sitting]) -> list[str]:
    return [position.id for sitting in sittings for position in sitting.positions]


@pytest.mark.parametrize("game", ["fish", "q", "tsuro"])
def test_they_come_from_opening_middle_and_end_alike(game: str, zygotes: dict[str, Zygote]) -> None:
    found = positions(zygotes, game, 20)
    phases = Counter(position.phase for sitting in found for position in sitting.positions)
    assert phases == {"opening": 7, "middle": 7, "end": 6}
    assert len(set(ids(found))) == 20
    for sitting in found:
        assert len({position.ask.player for position in sitting.positions}) == 1, "one instance sits in one seat"
        turns = [position.turn for position in sitting.positions]
        assert turns == sorted(turns)
        for position in sitting.positions:
            assert position.ask == position.state.ask()
            assert position.ask.reply is not None
            assert position.choices == len(position.ask.view.legal_moves()) > 0


def test_the_same_seed_and_settings_give_the_same_positions(zygotes: dict[str, Zygote]) -> None:
    first = ids(positions(zygotes, "fish", 9))
    assert ids(positions(zygotes, "fish", 9)) == first
    assert not set(ids(positions(zygotes, "fish", 9, seed=1))) & set(first)
    small = games.get("fish").config(rows=4, columns=3)
    others = positions(zygotes, "fish", 9, small)
    assert not set(ids(others)) & set(first)
    assert {len(position.ask.view.board) for sitting in others for position in sitting.positions} == {4}


def test_settings_that_fit_no_table_are_a_sentence(zygotes: dict[str, Zygote]) -> None:
    with pytest.raises(UnfitSettings, match="fit no table of fish"):
        positions(zygotes, "fish", 3, games.get("fish").config(rows=1, columns=1))


@pytest.mark.parametrize("game", ["fish", "q", "tsuro"])
def test_whoever_sits_down_is_told_the_first_position_by_setup(game: str, zygotes: dict[str, Zygote]) -> None:
    for sitting in positions(zygotes, game, 6):
        ask = sitting.setup()
        assert ask is not None
        assert (ask.method, ask.player) == ("setup", sitting.positions[0].ask.player)
        assert ask.view.history == sitting.positions[0].ask.view.history


def test_a_saved_state_asks_for_its_next_move_and_one_that_is_over_for_none() -> None:
    game = games.get("fish")
    state = game.setup(["a", "b"], None, 3)
    position = saved(state, "start.json")
    assert (position.ask.method, position.ask.player, position.phase) == ("placement", "a", "saved")
    for player in ("a", "b"):
        state = state.kick(player)
    with pytest.raises(StateError, match=r"In end\.json the game is over"):
        saved(state, "end.json")
