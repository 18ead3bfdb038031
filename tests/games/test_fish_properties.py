"""What must hold in every game of Fish, whatever the board, the players and the luck."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.fish import Config, Illegal, State, Tile, game, neighbours

NAMES = ["ada", "bob", "cyd", "dan"]


@st.composite
def starts(draw: st.DrawFn) -> State:
    seats = draw(st.integers(2, 4))
    rows = draw(st.integers(1, 6))
    board = draw(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=5), min_size=rows, max_size=rows))
    board[0][0] = max(1, board[0][0])
    config = draw(st.sampled_from([Config(), Config(board=tuple(map(tuple, board))), Config(rows=6, columns=3)]))
    return game.setup(NAMES[:seats], config, draw(st.integers(0, 2**32)))


@st.composite
def states(draw: st.DrawFn) -> State:
    """Some state on the way through a random game, in which now and then somebody is kicked."""
    return walk(
        draw(starts()), Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 45)), draw(st.sampled_from([0, 0.05]))
    )


def walk(state: State, random: Random, steps: int, kicks: float) -> State:
    while steps and (ask := state.ask()) is not None:
        steps -= 1
        if random.random() < kicks:
            state = state.kick(random.choice(state.players))
        else:
            state = state.commit(None if ask.reply is None else random.choice(state.legal_moves()))
    return state


def everything(state: State) -> list[Any]:
    """All placements and all movements between tiles on the board, and some off it."""
    rows, columns = state.position.grid.rows, state.position.grid.columns
    tiles = [Tile(row, col) for row in range(-1, rows + 1) for col in range(-1, columns + 1)]
    if state.phase == "placing":
        return tiles
    return [(start, end) for start in tiles for end in tiles]


def by_walking(state: State) -> set[Any]:
    """The legal actions worked out anew, one step at a time."""
    board = {Tile(r, c): fish for r, row in enumerate(state.position.board) for c, fish in enumerate(row)}
    taken = {tile for name in state.players for tile in state.position.penguins_of(name)}
    player = state.position.player
    if player is None:
        return set()
    if state.phase == "placing":
        return {tile for tile, fish in board.items() if fish and tile not in taken}
    found = set()
    for start in state.position.penguins_of(player):
        for way in range(6):
            tile = neighbours(*start)[way]
            while board.get(tile, 0) and tile not in taken:
                found.add((start, tile))
                tile = neighbours(*tile)[way]
    return found


@settings(max_examples=40, deadline=None)
@given(states())
def test_every_legal_action_commits_and_every_other_is_illegal(state: State) -> None:
    ask = state.ask()
    if ask is None or ask.reply is None:
        return
    legal = set(state.legal_moves())
    assert legal == by_walking(state)
    assert legal  # whoever is asked can answer
    for action in everything(state):
        if action in legal:
            assert state.check(action) is None
            assert state.commit(action).turn == state.turn + 1
        else:
            assert state.check(action)
            with pytest.raises(Illegal):
                state.commit(action)


garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(states(), garbage)
def test_garbage_is_illegal_and_never_another_exception(state: State, action: Any) -> None:
    ask = state.ask()
    allowed = ask is not None and (
        action is None if ask.reply is None else _as_tuples(action) in set(state.legal_moves())
    )
    if allowed:
        state.commit(action)
        return
    assert isinstance(state.check(action), str)
    with pytest.raises(Illegal):
        state.commit(action)


def _as_tuples(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(map(_as_tuples, value))
    return value if type(value) is int else None


@settings(max_examples=80, deadline=None)
@given(states(), st.integers(0, 2**32))
def test_a_saved_game_loads_and_plays_on_identically(state: State, seed: int) -> None:
    again = game.load(json.loads(json.dumps(state.save())))
    assert again == state
    assert again.ask() == state.ask()
    assert again.public() == state.public()
    ends = [walk(start, Random(seed), 10_000, 0.02) for start in (state, again)]
    assert ends[0] == ends[1]


@settings(max_examples=80, deadline=None)
@given(states())
def test_fish_and_penguins_are_conserved(state: State) -> None:
    while (ask := state.ask()) is not None:
        after = state.commit(None if ask.reply is None else state.legal_moves()[0])
        assert total(after) == total(state)
        penguins = [
            len(cells) + hand for cells, hand in zip(after.position.penguins, after.position.to_place, strict=True)
        ]
        each = 6 - len(state.players)
        assert penguins == [0 if name in state.kicked else each for name in state.players]
        state = after


def total(state: State) -> int:
    return sum(map(sum, state.position.board)) + sum(state.scores().values())


@settings(max_examples=80, deadline=None)
@given(states(), st.data())
def test_a_kick_at_any_point_leaves_a_playable_state(state: State, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(state.players))
    after = state.kick(player)
    assert player in after.kicked
    assert total(after) == total(state)
    assert after.is_over or not state.is_over
    while (ask := after.ask()) is not None:
        assert ask.player not in after.kicked
        after = after.commit(None if ask.reply is None else after.legal_moves()[-1])
    assert not any(player in rank for rank in after.ranking())


@settings(max_examples=80, deadline=None)
@given(starts(), st.integers(0, 2**32), st.sampled_from([0, 0.03, 0.2]))
def test_a_random_game_ends_and_ranks_everyone_who_was_not_kicked(state: State, seed: int, kicks: float) -> None:
    end = walk(state, Random(seed), 10_000, kicks)
    assert end.ask() is None
    assert end.is_over
    ranked = [player for rank in end.ranking() for player in rank]
    assert sorted(ranked) == sorted(set(end.players) - set(end.kicked))
    assert all(end.ranking()) or end.late  # only a kick after the end leaves a rank empty
    scores = [{end.scores()[player] for player in rank} for rank in end.ranking() if rank]
    assert all(len(rank) == 1 for rank in scores)
    assert [max(rank) for rank in scores] == sorted((max(rank) for rank in scores), reverse=True)
