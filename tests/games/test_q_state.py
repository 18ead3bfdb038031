"""Who is asked what, how turns and rounds go, how a game ends, and what a kick does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games import q
from referee.games.game import Illegal
from tests.games.q_positions import at, counted, positions, random_action, set_up, table, tiles


def asked(state: q.State) -> tuple[str, str] | None:
    ask = state.ask()
    return None if ask is None else (ask.player, ask.method)


def calls(state: q.State) -> list[tuple[str, str]]:
    """Who is called how until a move is wanted or all is over."""
    found = []
    while (ask := state.ask()) is not None and ask.reply is None:
        found.append((ask.player, ask.method))
        state = state.commit(None)
    return found


def test_a_game_begins_with_the_first_tile_six_in_every_hand_and_a_call_to_each() -> None:
    state = q.game.setup(["Ann", "Bob", "Cy"], seed=3)
    assert list(state.map) == [(0, 0)]
    assert [len(hand) for hand in state.hands] == [6, 6, 6]
    assert len(state.pile) == 1080 - 1 - 18
    assert set(counted(state).values()) == {30}
    assert calls(state) == [("Ann", "setup"), ("Bob", "setup"), ("Cy", "setup")]
    assert asked(set_up(state)) == ("Ann", "take_turn")
    assert state.turn == 0


def test_the_seed_alone_decides_the_shuffle() -> None:
    assert q.game.setup(["A", "B"], seed=5) == q.game.setup(["A", "B"], seed=5)
    assert q.game.setup(["A", "B"], seed=5) != q.game.setup(["A", "B"], seed=6)


def test_a_given_pile_is_dealt_in_its_order() -> None:
    pile = tuple(tile.plain for tile in tiles("r* g* b* y* o* p*"))
    state = q.game.setup(["A", "B"], q.Config(hand_size=2, pile=pile), seed=9)
    assert state.map.tiles == {(0, 0): q.Tile.RED_STAR}
    assert state.hands == (tiles("g* b*"), tiles("y* o*"))
    assert state.pile == tiles("p*")


def test_after_a_placement_as_many_are_drawn_to_the_front_of_the_hand() -> None:
    state = table(["r# r8 b%", "g*"], pile="y* y8 y#")
    state = state.commit((at(0, 1, "r#"), at(0, 2, "r8")))
    assert state.hands[0] == tiles("y* y8 b%")
    assert state.pile == tiles("y#")
    assert state.points == (2 + 3, 0)
    ask = state.ask()
    assert ask is not None
    assert (ask.player, ask.method, ask.view, ask.reply) == ("A", "new_tiles", tiles("y* y8"), None)
    assert asked(state.commit(None)) == ("B", "take_turn")


def test_what_the_pile_cannot_give_is_not_drawn_but_told() -> None:
    state = table(["r# r8 b%", "g*"], pile="y*").commit((at(0, 1, "r#"), at(0, 2, "r8")))
    assert state.hands[0] == tiles("y* b%")
    state = state.commit(None).commit("pass").commit((at(0, -1, "y*"),))
    ask = state.ask()
    assert ask is not None
    assert (ask.method, ask.view) == ("new_tiles", ())


def test_an_exchange_puts_the_hand_behind_the_pile_and_takes_from_its_front() -> None:
    state = table(["b% b^", "g*"], pile="y* y8 y#").commit("exchange")
    assert state.hands[0] == tiles("y* y8")
    assert state.pile == tiles("y# b% b^")
    assert asked(state) == ("A", "new_tiles")


def test_a_pass_changes_nothing_but_the_turn() -> None:
    before = table(["b% b^", "g*"], pile="y*")
    after = before.commit("pass")
    assert (after.map, after.pile, after.hands, after.points) == (before.map, before.pile, before.hands, before.points)
    assert asked(after) == ("B", "take_turn")
    assert after.turn == 1


def test_placing_the_whole_hand_ends_the_game_at_once_with_the_bonus() -> None:
    state = table(["r# r8", "g* g*"], pile="y* y* y*").commit((at(0, 1, "r#"), at(0, 2, "r8")))
    assert state.is_over
    assert state.phase == "done"
    assert state.hands[0] == ()
    assert state.points == (2 + 3 + 4, 0)
    assert calls(state) == [("A", "game_over"), ("B", "game_over")]


def test_a_round_without_a_placement_ends_the_game_although_there_was_an_exchange() -> None:
    state = table(["b%", "g%", "y%"], pile="o% o% o%", points=[1, 5, 5])
    state = state.commit("pass").commit("exchange").commit(None)
    assert not state.is_over
    state = state.commit("pass")
    assert state.is_over
    assert state.ranking() == [{"B", "C"}, {"A"}]


def test_a_round_is_counted_from_the_first_seat() -> None:
    # A places, all others pass, and A passes in the next round: that round is not over yet.
    state = table(["r# b%", "g% o%"], points=[0, 0]).commit((at(0, 1, "r#"),)).commit(None)
    state = state.commit("pass").commit("pass")
    assert not state.is_over
    assert state.commit("pass").is_over


def test_the_winners_are_told_first_each_in_turn_order_from_who_ended_it() -> None:
    state = table(["b%", "g%", "r#", "o%"], points=[30, 2, 0, 30])
    state = state.commit("pass").commit("pass").commit((at(0, 1, "r#"),))
    order = []
    while (ask := state.ask()) is not None:
        assert ask.method == "game_over"
        order.append((ask.player, ask.view.won))
        state = state.commit(None)
    assert order == [("D", True), ("A", True), ("C", False), ("B", False)]
    assert state.is_over
    with pytest.raises(Illegal, match="the game is over"):
        state.commit(None)


def test_a_winner_kicked_at_the_end_is_unranked_and_nobody_moves_up() -> None:
    state = table(["b%", "g%"], points=[7, 3]).commit("pass").commit("pass")
    assert state.ranking() == [{"A"}, {"B"}]
    state = state.kick("A")
    assert state.ranking() == [set(), {"B"}]
    ask = state.ask()
    assert ask is not None
    assert (ask.player, ask.view.won, ask.view.kicked) == ("B", False, ("A",))
    assert state.kick("B").ranking() == []
    assert state.kick("B").ask() is None


def test_kicked_in_its_turn_the_hand_goes_behind_the_pile_and_the_turn_counts() -> None:
    state = table(["b% b^", "g*", "g8"], pile="y*").kick("A")
    assert state.pile == tiles("y* b% b^")
    assert state.hands[0] == ()
    assert state.turn == 1
    assert asked(state) == ("B", "take_turn")
    assert state.kicked == ("A",)


def test_kicked_over_new_tiles_those_are_lost_and_the_rest_goes_back() -> None:
    state = table(["r# b%", "g*"], pile="y* y8").commit((at(0, 1, "r#"),)).kick("A")
    assert state.pile == tiles("y8 b%")
    assert (0, 1) in state.map
    assert state.turn == 1
    assert asked(state) == ("B", "take_turn")


def test_the_placement_of_who_is_then_kicked_keeps_the_round_alive() -> None:
    state = table(["r# b%", "g%"], pile="y* y8").commit((at(0, 1, "r#"),)).kick("A").commit("pass")
    assert not state.is_over


def test_kicks_while_setting_up() -> None:
    state = q.game.setup(["A", "B", "C"], seed=1).kick("A").commit(None).kick("C")
    assert asked(state) == ("B", "take_turn")
    assert state.turn == 0
    assert len(state.pile) == 1080 - 1 - 6
    nobody = state.kick("B")
    assert nobody.is_over
    assert nobody.ask() is None
    assert nobody.ranking() == []


def test_a_kick_out_of_turn_leaves_the_turn_where_it_is() -> None:
    state = table(["r# b%", "g*", "g8"]).kick("C")
    assert asked(state) == ("A", "take_turn")
    assert state.turn == 0
    assert asked(state.commit("pass").kick("A")) == ("B", "take_turn")


def test_who_is_not_in_the_game_cannot_be_kicked() -> None:
    state = table(["r#", "g*"]).kick("A")
    for name in ("A", "nobody", "x" * 1000):
        with pytest.raises(ValueError, match="is not in the game"):
            state.kick(name)


def test_no_move_is_taken_when_none_is_asked_for() -> None:
    setting_up = q.game.setup(["A", "B"])
    assert setting_up.check("pass") == "it is not the time for a move"
    drawing = table(["r# b%", "g*"], pile="y*").commit((at(0, 1, "r#"),))
    assert drawing.check("pass") == "it is not the time for a move"
    over = table(["r#", "g*"]).commit((at(0, 1, "r#"),))
    assert over.check("pass") == "the game is over"


def test_public_tells_history_last_actions_and_this_round() -> None:
    state = table(["r# b%", "g% o%", "y%"], pile="y*").commit((at(0, 1, "r#"),)).commit(None)
    state = state.commit("pass").kick("C").commit("pass")
    public = state.public()
    assert [(entry.turn, entry.player, entry.points) for entry in public.history] == [
        (1, "A", 3), (2, "B", 0), (3, "C", 0), (4, "A", 0),
    ]  # fmt: skip
    assert [entry.action for entry in public.history] == [(((0, 1), ("square", "red")),), "pass", "kicked", "pass"]
    assert {player: entry.action for player, entry in public.last.items()} == {"A": "pass", "B": "pass"}
    assert [entry.turn for entry in public.this_round] == [4]
    assert public.to_move == "B"
    assert public.hand_sizes == {"A": 2, "B": 2, "C": 0}
    assert public.scores == {"A": 3, "B": 0, "C": 0}
    assert public.map == (((0, 0), ("star", "red")), ((0, 1), ("square", "red")))
    assert (public.phase, public.turn, public.pile) == ("playing", 4, 1)


@given(positions(kicks=False))
@settings(max_examples=40)
def test_tiles_are_conserved(state: q.State) -> None:
    ask = state.ask()
    if ask is not None:
        rng = random.Random(state.turn)
        after = state.commit(None if ask.reply is None else random_action(state, rng))
        assert counted(after) == counted(state)
        kicked = state.kick(ask.player)
        lost = len(ask.view) if ask.method == "new_tiles" else 0
        assert counted(kicked).total() == counted(state).total() - lost


@given(positions(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_from_anywhere_a_kick_leaves_a_game_that_ends(state: q.State, seed: int) -> None:
    rng = random.Random(seed)
    live = [player for player in state.players if player not in state.kicked]
    if live:
        state = state.kick(rng.choice(live))
    turn = state.turn
    while (ask := state.ask()) is not None:
        assert ask.player not in state.kicked
        state = state.commit(None if ask.reply is None else random_action(state, rng))
        assert state.turn == turn + (ask.reply is not None)
        turn = state.turn
    assert state.is_over
    ranked = [player for rank in state.ranking() for player in rank]
    assert sorted(ranked) == sorted(set(state.players) - set(state.kicked))
    best = [state.scores()[player] for rank in state.ranking() for player in rank]
    assert best == sorted(best, reverse=True)


@pytest.mark.parametrize("players", [[], ["A"], list("ABCDE")])
def test_a_wrong_number_of_players_is_refused(players: list[str]) -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        q.game.setup(players)


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        q.game.setup(["A", "A"])


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (q.Config(hand_size=0), "no configuration of Q"),
        (q.Config(q_bonus=-1), "no configuration of Q"),
        (
            q.Config(hand_size=2, pile=(("star", "red"),) * 4),
            "2 hands of 2 and the first tile take 5 tiles",
        ),
        (q.Config(pile=(("red", "star"),) * 20), "no configuration of Q"),  # type: ignore[arg-type]
        (q.Config(state={"game": "fish"}), "no saved game of Q"),
        (q.Config(state={}, pile=()), "give one or the other"),
    ],
)
def test_an_impossible_configuration_is_refused_with_a_sentence(config: q.Config, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        q.game.setup(["A", "B"], config)
