"""What must hold in every game of Tsuro, whatever the board, the players and the luck."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.tsuro import PORTS, TILES, Config, Illegal, Placed, State, Tile, View, adapter, exit_port, game

NAMES = ["ada", "bob", "cyd", "dan", "eve"]
STEPS = {"A": (0, -1), "B": (0, -1), "C": (1, 0), "D": (1, 0), "E": (0, 1), "F": (0, 1), "G": (-1, 0), "H": (-1, 0)}
FACES = dict(zip("ABCDEFGH", "FEHGBADC", strict=True))


@st.composite
def starts(draw: st.DrawFn) -> State:
    seats = draw(st.integers(3, 5))
    config = draw(
        st.sampled_from(
            [
                Config(tiles="shuffled"),
                Config(),
                Config(width=5, height=4, tiles="shuffled"),
                Config(tiles=(34, 22, 4, 7)),
            ]
        )
    )
    return game.setup(NAMES[:seats], config, draw(st.integers(0, 2**32)))


@st.composite
def states(draw: st.DrawFn) -> State:
    """Some state on the way through a random game, in which now and then somebody is kicked."""
    random = Random(draw(st.integers(0, 2**32)))
    return walk(draw(starts()), random, draw(st.integers(0, 90)), draw(st.sampled_from([0, 0.02])))


def walk(state: State, random: Random, steps: int, kicks: float) -> State:
    while steps and (ask := state.ask()) is not None:
        steps -= 1
        legal = [None] if ask.reply is None else ask.view.legal_moves()
        if not legal:
            state = state.kick(ask.player)
        elif random.random() < kicks:
            state = state.kick(random.choice(state.players))
        else:
            state = state.commit(random.choice(legal))
    return state


def by_walking(state: State, tile: Tile) -> dict[int, Any]:
    """Where each avatar ends that looks at the mover's square, worked out anew, one step at a time."""
    board = state.position
    target = board.looks_at(state.seat)
    assert target is not None
    ends: dict[int, Any] = {}
    for seat in board.alive:
        avatar = board.avatar(seat)
        if avatar is None or board.looks_at(seat) != target:
            continue
        (x, y), port = avatar
        seen = set()
        while True:
            x, y = x + STEPS[port][0], y + STEPS[port][1]
            if not (0 <= x < board.width and 0 <= y < board.height):
                ends[seat] = "off"
                break
            here = tile if (x, y) == target else board.tile((x, y))
            if here is None:
                ends[seat] = ((x - STEPS[port][0], y - STEPS[port][1]), port)
                break
            if (x, y, port) in seen:
                ends[seat] = "loop"
                break
            seen.add((x, y, port))
            port = exit_port(here, FACES[port])
    return ends


@settings(max_examples=40, deadline=None)
@given(states())
def test_every_option_ends_where_walking_step_by_step_does(state: State) -> None:
    if state.phase != "moving":
        return
    for option in state.position.options(state.seat, state.hand):
        ends = by_walking(state, option.tile)
        assert set(option.loopers) == {seat for seat, end in ends.items() if end == "loop"}
        if option.loopers:
            continue
        after = state.position.after(option)
        for seat in state.position.alive:
            expected = ends.get(seat, state.position.avatar(seat))
            assert (after.avatar(seat) or "off") == expected
        for seat in after.alive:
            ahead = after.looks_at(seat)
            assert ahead is not None
            assert after.tile(ahead) is None


@settings(max_examples=50, deadline=None)
@given(states())
def test_every_legal_action_commits_and_every_other_is_illegal(state: State) -> None:
    ask = state.ask()
    if ask is None or ask.reply is None:
        return
    legal = set(ask.view.legal_moves())
    if state.phase == "moving":
        everything: list[Any] = list(TILES)
    else:
        tile = Random(state.turn).choice(TILES)
        squares = [(x, y) for x in range(-1, state.position.width + 1) for y in range(-1, state.position.height + 1)]
        everything = [(tile, square, port) for square in squares for port in PORTS]
        everything += Random(state.turn).sample(sorted(legal), 20)
    for action in everything:
        if action in legal:
            assert state.check(action) is None
            assert ask.view.check(action) is None
            after = state.commit(action)
            assert after.turn == state.turn + 1
            assert after.position == ask.view.after(action)
        else:
            assert state.check(action)
            assert ask.view.check(action)
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
    if ask is not None and (action is None if ask.reply is None else action in ask.view.legal_moves()):
        state.commit(action)
        return
    assert isinstance(state.check(action), str)
    with pytest.raises(Illegal):
        state.commit(action)
    adapter().answer("move", action)
    adapter().answer("initial_placement", action)


@settings(max_examples=60, deadline=None)
@given(states(), st.integers(0, 2**32))
def test_a_saved_game_loads_and_plays_on_identically(state: State, seed: int) -> None:
    again = game.load(json.loads(json.dumps(state.save())))
    assert again == state
    assert again.save() == state.save()
    assert again.ask() == state.ask()
    assert again.public() == state.public()
    ends = [walk(start, Random(seed), 10_000, 0.02) for start in (state, again)]
    assert ends[0] == ends[1]


@settings(max_examples=40, deadline=None)
@given(states())
def test_a_view_arrives_in_the_box_as_it_was_sent(state: State) -> None:
    ask = state.ask()
    if ask is None:
        return
    (arrived,) = adapter().arguments(ask.method, msgspec.msgpack.encode(ask.view))
    assert type(arrived) is type(ask.view)
    assert arrived == ask.view
    if isinstance(arrived, View):
        assert arrived.legal_moves() == ask.view.legal_moves()
        answer = next(iter(arrived.legal_moves()), None)
        if ask.reply is not None and answer is not None:
            sent = msgspec.msgpack.encode(adapter().answer(ask.method, answer))
            assert state.check(msgspec.msgpack.decode(sent, type=ask.reply)) is None


@settings(max_examples=40, deadline=None)
@given(starts(), st.integers(0, 2**32))
def test_tiles_stay_where_they_are_and_one_comes_a_move(state: State, seed: int) -> None:
    random = Random(seed)
    while (ask := state.ask()) is not None:
        after = walk(state, random, 1, 0)
        before, now = state.public(), after.public()
        assert dict(before.tiles).items() <= dict(now.tiles).items()
        added = len(now.tiles) - len(before.tiles)
        entry = now.history[-1] if len(now.history) > len(before.history) else None
        assert added == (entry is not None and (isinstance(entry, Placed) or getattr(entry, "placed", False)))
        assert after.dealt - state.dealt == {"initial_placement": 3, "move": 2}.get(ask.method, 0)
        standing = {after.players[seat] for seat in after.position.alive}
        fallen = {name for name, fell in zip(after.players, after.fell, strict=True) if fell is not None}
        assert not standing & fallen
        if after.round:
            assert standing | fallen | set(after.kicked) == set(after.players)
        state = after


@settings(max_examples=60, deadline=None)
@given(states(), st.data())
def test_a_kick_at_any_point_leaves_a_playable_state(state: State, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(state.players))
    after = state.kick(player)
    assert player in after.kicked
    assert after.is_over or not state.is_over
    while (ask := after.ask()) is not None:
        assert ask.player not in after.kicked
        after = walk(after, Random(1), 1, 0)
    assert not any(player in rank for rank in after.ranking())


@settings(max_examples=60, deadline=None)
@given(starts(), st.integers(0, 2**32), st.sampled_from([0, 0.03, 0.2]))
def test_a_random_game_ends_and_ranks_everyone_who_was_not_kicked(state: State, seed: int, kicks: float) -> None:
    end = walk(state, Random(seed), 10_000, kicks)
    assert end.ask() is None
    assert end.is_over
    assert len(end.position.alive) <= 1
    ranked = [player for rank in end.ranking() for player in rank]
    assert sorted(ranked) == sorted(set(end.players) - set(end.kicked))
    scores = [{end.scores()[player] for player in rank} for rank in end.ranking() if rank]
    assert all(len(rank) == 1 for rank in scores)
    best_first = [max(rank) for rank in scores]
    assert best_first == sorted(set(best_first), reverse=True)
