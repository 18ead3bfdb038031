"""A game of Fish from its first call to its last: who is asked what, and what becomes of those who fail."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from referee.games.fish import Config, Event, Illegal, Move, Outcome, State, Tile, View, game

SMALL = Config(board=((1, 2, 3), (3, 2, 1), (1, 2, 3)))  # 9 tiles for the 8 penguins of two players


def begin(*players: str, config: Config = SMALL) -> State:
    state = game.setup(players, config)
    for _ in players:
        state = state.commit(None)
    return state


def placed(*players: str, config: Config = SMALL) -> State:
    """All penguins on the first free tiles."""
    state = begin(*players, config=config)
    while state.phase == "placing":
        state = state.commit(state.legal_moves()[0])
    return state


def finished(state: State) -> State:
    while not state.is_over:
        state = state.commit(state.legal_moves()[0])
    return state


def asks(state: State) -> list[tuple[str, str]]:
    """All calls of a game in which everyone does the first thing that is allowed."""
    calls = []
    while (ask := state.ask()) is not None:
        calls.append((ask.player, ask.method))
        state = state.commit(None if ask.reply is None else state.legal_moves()[0])
    return calls


def asked(state: State) -> tuple[str, str] | None:
    ask = state.ask()
    return None if ask is None else (ask.player, ask.method)


def test_the_calls_come_in_order() -> None:
    calls = asks(game.setup(["a", "b"], SMALL))
    assert calls[:2] == [("a", "setup"), ("b", "setup")]
    assert calls[2:10] == [("a", "placement"), ("b", "placement")] * 4
    assert calls[10:-2] == [("a", "movement")]  # onto the only free tile
    assert calls[-2:] == [("a", "game_over"), ("b", "game_over")]


def test_a_reply_type_goes_with_every_move_and_with_nothing_else() -> None:
    state = game.setup(["a", "b"], SMALL)
    types = {}
    while (ask := state.ask()) is not None:
        types[ask.method] = get_args(ask.reply)[0] if ask.reply else None  # without its description
        state = state.commit(None if ask.reply is None else state.legal_moves()[0])
    assert types == {
        "setup": None,
        "placement": tuple[int, int],
        "movement": tuple[tuple[int, int], tuple[int, int]],
        "game_over": None,
    }


@pytest.mark.parametrize(("seats", "penguins"), [(2, 4), (3, 3), (4, 2)])
def test_everyone_places_one_penguin_at_a_time_round_the_table(seats: int, penguins: int) -> None:
    names = ["a", "b", "c", "d"][:seats]
    state = placed(*names, config=Config(rows=5, columns=5, holes=0))
    assert [event.player for event in state.history] == names * penguins
    assert state.position.player == "a"


def test_a_turn_is_an_ask_for_a_move() -> None:
    state = game.setup(["a", "b"], SMALL)
    assert (state.turn, state.commit(None).turn) == (0, 0)
    state = begin("a", "b")
    assert state.turn == 0
    assert state.commit([0, 0]).turn == 1
    assert state.kick("a").turn == 1  # it failed in its turn
    assert state.kick("b").turn == 0  # it did not
    assert game.setup(["a", "b"], SMALL).kick("a").turn == 0


def test_a_call_that_wants_no_move_takes_none() -> None:
    state = game.setup(["a", "b"], SMALL)
    assert state.check(None) is None
    assert state.check([0, 0]) == "this call wants no answer"
    with pytest.raises(Illegal, match="no answer"):
        state.commit([0, 0])


def test_a_finished_game_takes_nothing() -> None:
    state = finished(placed("a", "b")).commit(None).commit(None)
    assert state.ask() is None
    assert state.check(None) == "the game is over"
    with pytest.raises(Illegal, match="over"):
        state.commit(None)


def test_a_refused_action_changes_nothing() -> None:
    state = begin("a", "b").commit([1, 1])
    before = state.save()
    for action in ([1, 1], [5, 5], None, "x", [[0, 0], [1, 0]]):
        assert state.check(action) is not None
        with pytest.raises(Illegal):
            state.commit(action)
    assert state.save() == before
    assert state.check([1, 1]) == "(1, 1) is taken by another player's penguin"


def test_the_ranking_puts_equal_scores_together() -> None:
    state = finished(placed("a", "b"))
    assert state.scores() == {"a": 3, "b": 0}
    assert state.ranking() == [{"a"}, {"b"}]
    tied = finished(placed("a", "b", config=Config(board=((1, 1, 1, 1), (1, 1, 1, 1)))))
    assert tied.ranking() == [{"a", "b"}]


def test_everyone_is_told_the_outcome() -> None:
    state = finished(placed("a", "b"))
    outcomes = []
    while (ask := state.ask()) is not None:
        outcomes.append(ask.view)
        state = state.commit(None)
    expected: dict[str, Any] = {"ranking": (("a",), ("b",)), "scores": {"a": 3, "b": 0}, "kicked": ()}
    assert outcomes == [Outcome(won=True, **expected), Outcome(won=False, **expected)]


def test_a_player_kicked_in_setup_never_places() -> None:
    state = game.setup(["a", "b", "c"]).kick("a")
    assert asked(state) == ("b", "setup")
    state = state.commit(None).kick("c")
    assert asked(state) == ("b", "placement")
    assert set(asks(state)) == {("b", "placement"), ("b", "movement"), ("b", "game_over")}
    assert state.players == ("a", "b", "c")
    assert state.kicked == ("a", "c")


def test_a_kicked_placer_passes_its_turn_on_and_frees_its_tiles() -> None:
    state = begin("a", "b").commit([1, 1]).commit([0, 0])
    assert asked(state) == ("a", "placement")
    state = state.kick("a")
    assert asked(state) == ("b", "placement")
    assert Tile(1, 1) in state.legal_moves()
    assert asked(finished(state)) == ("b", "game_over")


def test_a_kick_out_of_turn_leaves_the_turn_where_it_is() -> None:
    state = begin("a", "b", "c").commit([1, 1]).kick("a")
    assert asked(state) == ("b", "placement")
    assert state.history[-1] == Event(1, "a", ())


def test_when_all_are_kicked_the_game_is_over_and_nobody_is_ranked() -> None:
    for state in (game.setup(["a", "b"]), begin("a", "b"), placed("a", "b"), finished(placed("a", "b"))):
        empty = state.kick("b").kick("a")
        assert empty.is_over
        assert empty.ask() is None
        assert empty.ranking() == []
        assert empty.kicked == ("b", "a")


def test_a_winner_that_fails_at_the_end_is_unranked_and_nobody_is_promoted() -> None:
    state = finished(placed("a", "b"))
    late = state.kick("a")
    assert late.ranking() == [set(), {"b"}]
    ask = late.ask()
    assert ask is not None
    assert ask.player == "b"
    assert ask.view == Outcome(won=False, ranking=((), ("b",)), scores={"a": 3, "b": 0}, kicked=("a",))
    assert late.commit(None).ask() is None


def test_a_loser_that_fails_at_the_end_is_left_out() -> None:
    assert finished(placed("a", "b")).kick("b").ranking() == [{"a"}]


def test_a_game_that_is_over_stays_over_when_a_kick_frees_tiles() -> None:
    state = finished(placed("a", "b")).kick("a")
    assert state.is_over
    assert state.legal_moves() == []


def test_kicking_twice_is_kicking_once_and_strangers_cannot_be_kicked() -> None:
    state = begin("a", "b").kick("a")
    assert state.kick("a") == state
    with pytest.raises(ValueError, match="nobody called"):
        state.kick("z")


def test_a_player_with_nowhere_to_place_is_out_but_ranked() -> None:
    state = placed("a", "b", config=Config(board=((1, 1, 1), (1, 1, 1, 1))))
    assert state.is_over  # seven tiles: b's last penguin has no place
    assert asks(state) == [("a", "game_over")]
    assert state.ranking() == [{"a", "b"}]
    assert state.kicked == ()


def test_the_public_side_tells_the_past() -> None:
    state = begin("a", "b", config=Config(rows=5, columns=5, holes=0))
    state = state.commit([0, 0]).commit([1, 1]).commit([2, 2])
    public = state.public()
    assert [event.action for event in public.history] == [(0, 0), (1, 1), (2, 2)]
    assert public.last == {"a": Event(3, "a", (Tile(2, 2),)), "b": Event(2, "b", (Tile(1, 1),))}
    assert public.round == (Event(3, "a", (Tile(2, 2),)),)
    assert state.commit([0, 1]).public().round == ()
    kicked = state.kick("b").public()
    assert kicked.round == () == kicked.history[4:]
    assert kicked.history[-1] == Event(4, "b", ())
    assert kicked.last == public.last  # a kick is no action


def test_a_kick_out_of_turn_does_not_begin_a_new_round() -> None:
    state = begin("a", "b", "c").commit([0, 0])
    assert [event.player for event in state.kick("c").public().round] == ["a", "c"]


def test_the_last_round_can_be_seen_at_the_end() -> None:
    public = finished(placed("a", "b")).public()
    assert [event.player for event in public.round] == ["a"]
    assert isinstance(public.round[0].action, Move)


def test_views_are_for_the_player_asked() -> None:
    state = begin("a", "b").commit([0, 0])
    ask = state.ask()
    assert ask is not None
    assert isinstance(ask.view, View)
    assert (ask.view.me, ask.view.mover) == ("b", "b")
    assert ask.view.news == ask.view.history
    later = state.commit([1, 1]).kick("a").ask()
    assert later is not None
    assert later.view.news == (Event(3, "a", ()),)
