"""A game of Tsuro from its first call to its last: who is asked, who is out, who is ahead."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.tsuro import Config, Illegal, Kicked, Moved, Outcome, Placed, State, View, game

NAMES = ["ada", "bob", "cyd", "dan", "eve"]

# Where `placed` puts the avatars: on the upper edge, out of each other's way, looking down.
SPOTS = [((1, 0), "E"), ((3, 0), "E"), ((5, 0), "E"), ((7, 0), "E"), ((9, 0), "E")]


def asked(state: State) -> tuple[str, str]:
    ask = state.ask()
    assert ask is not None
    return ask.player, ask.method


def view(state: State) -> View:
    ask = state.ask()
    assert ask is not None
    assert isinstance(ask.view, View)
    return ask.view


def start(seats: int, config: Any = None) -> State:
    """A game after its `setup` calls."""
    state = game.setup(NAMES[:seats], config)
    for _ in range(seats):
        state = state.commit(None)
    return state


def placed(seats: int, tiles: tuple[int, ...]) -> State:
    """A game in which all stand at the edge; the tiles of the source after the first ones are `tiles`."""
    state = start(seats, Config(tiles=(0,) * 3 * seats + tiles))
    for square, port in SPOTS[:seats]:
        state = state.commit([[0, 0], square, port])
    return state


def test_everyone_hears_setup_then_places_then_moves_in_seat_order() -> None:
    state = game.setup(NAMES[:3])
    calls = []
    for turn in range(9):
        calls.append(asked(state))
        if turn < 3:
            state = state.commit(None)
        elif turn < 6:
            state = state.commit([[state.hand[0], 0], *SPOTS[turn - 3]])
        else:
            state = state.commit(view(state).legal_tiles()[0])
    methods = ["setup", "initial_placement", "move"]
    assert calls == [(name, method) for method in methods for name in NAMES[:3]]
    assert [type(entry) for entry in state.history] == [Placed] * 3 + [Moved] * 3
    assert (state.turn, state.round, state.phase) == (6, 2, "moving")


def test_tiles_are_dealt_in_a_circle_to_those_who_are_still_there() -> None:
    state = start(5)
    hands = []
    for square, port in SPOTS:
        hands.append(state.hand)
        state = state.commit([[state.hand[0], 0], square, port])
    assert hands == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14)]
    assert state.hand == (15, 16)
    state = state.kick("bob")  # bob was not asked: nothing was dealt to it
    assert state.hand == (15, 16)
    state = state.kick("ada")  # ada had its tiles
    assert (asked(state), state.hand) == (("cyd", "move"), (17, 18))
    for _ in range(9):
        state = state.commit(view(state).legal_tiles()[0])
    assert state.hand == (0, 1)


def test_a_given_source_is_dealt_in_a_circle_too() -> None:
    state = start(3, {"tiles": [5, 6, 7, 8]})
    assert state.hand == (5, 6, 7)
    assert state.kick("ada").hand == (8, 5, 6)


def test_shuffled_tiles_depend_on_the_seed_and_use_every_tile_once_each_time_round() -> None:
    def hands(seed: int) -> list[int]:
        state = game.setup(NAMES[:5], Config(tiles="shuffled"), seed)
        dealt: list[int] = []
        while len(dealt) < 70 and (ask := state.ask()) is not None:
            dealt += state.hand
            free = view(state).free_squares()
            if ask.method == "initial_placement":
                state = state.commit([[state.hand[0], 0], free[0], view(state).inward_ports(free[0])[0]])
            else:
                state = state.commit(None if ask.reply is None else view(state).legal_tiles()[0])
        return dealt

    once = hands(1)
    assert sorted(once[:35]) == sorted(once[35:70]) == list(range(35))
    assert once[:35] != once[35:70]
    assert once == hands(1)
    assert once != hands(2)


def test_a_turn_is_an_ask_for_a_move_and_counts_failed_ones() -> None:
    state = game.setup(NAMES[:4])
    assert state.commit(None).turn == 0
    assert state.kick("ada").turn == 0
    state = start(4)
    assert state.kick("dan").turn == 0
    assert state.kick("ada").turn == 1
    assert state.kick("ada").history == (Kicked(1, "ada", 0),)


def test_a_round_is_played_to_its_end_even_by_the_last_one_standing() -> None:
    state = placed(3, (34, 34, 34, 34, 2, 2)).commit([34, 0]).commit([34, 0])
    assert state.position.alive == (2,)
    assert not state.is_over
    assert asked(state) == ("cyd", "move")
    state = state.commit([2, 0])
    assert state.is_over
    assert state.ranking() == [{"cyd"}, {"ada", "bob"}]


def test_the_last_one_standing_can_still_fall_in_its_last_move() -> None:
    # Tile 34 leads each back over its first tile and off the board.
    state = placed(3, (34, 34, 34, 34, 34, 34))
    for _ in range(3):
        assert not state.is_over
        state = state.commit([34, 0])
    assert state.is_over
    assert state.ask() is None  # nobody is left to be told
    assert state.ranking() == [{"ada", "bob", "cyd"}]
    assert state.scores() == {"ada": 0, "bob": 0, "cyd": 0}


def test_the_dead_are_ranked_by_round_and_the_kicked_not_at_all() -> None:
    state = placed(5, (34, 34, *[2] * 8, *[34] * 2, *[2] * 30))
    state = state.commit([34, 0])  # ada falls in round 1
    for _ in range(4):
        state = state.commit([2, 0])
    assert (asked(state), state.round) == (("bob", "move"), 2)
    state = state.commit([34, 0])  # bob falls in round 2
    state = state.kick("cyd")
    state = state.commit([2, 0]).commit([2, 0])
    assert state.ranking() == [{"dan", "eve"}, {"bob"}, {"ada"}]
    assert state.scores() == {"ada": 0, "bob": 1, "cyd": 0, "dan": 2, "eve": 2}
    state = state.kick("dan").commit([2, 0])
    assert state.is_over
    assert state.ranking() == [{"eve"}, {"bob"}, {"ada"}]
    assert (asked(state), state.phase) == (("eve", "game_over"), "done")
    ask = state.ask()
    assert ask is not None
    assert ask.view == Outcome(True, (("eve",), ("bob",), ("ada",)), state.scores(), ("cyd", "dan"))
    assert state.commit(None).ask() is None


def test_nobody_moves_up_when_the_winner_fails_in_its_last_call() -> None:
    state = placed(3, (34, 34, *[2] * 4)).commit([34, 0]).kick("bob").commit([2, 0])
    assert asked(state) == ("cyd", "game_over")
    after = state.kick("cyd")
    assert after.ask() is None
    assert after.ranking() == [set(), {"ada"}]
    assert after.kicked == ("bob", "cyd")


def test_a_loop_when_all_options_loop_takes_the_loopers_out_and_places_no_tile() -> None:
    state = start(3, Config(tiles=(34,)))
    for square, port in SPOTS[:3]:
        state = state.commit([[34, 0], square, port])
    before = state.position.tiles
    state = state.commit([34, 0])
    assert state.position.tiles == before
    assert state.fell == (1, None, None)
    entry = state.history[-1]
    assert isinstance(entry, Moved)
    assert (entry.placed, entry.square, entry.out) == (False, (1, 1), ("ada",))


def test_whoever_is_kicked_loses_its_avatar_and_no_tile() -> None:
    state = placed(3, (2,) * 20)
    after = state.kick("bob")
    assert after.position.avatars[1] == -1
    assert after.position.tiles == state.position.tiles
    assert after.kick("bob") is after
    with pytest.raises(ValueError, match="no such player"):
        state.kick("zoe")


def test_a_game_whose_players_all_fail_at_once_is_over() -> None:
    state = game.setup(NAMES[:3])
    for name in NAMES[:3]:
        state = state.kick(name)
    assert state.is_over
    assert state.ask() is None
    assert state.ranking() == []


def test_one_who_is_left_before_the_first_round_has_won() -> None:
    state = start(3).kick("ada").kick("bob")
    assert asked(state) == ("cyd", "initial_placement")
    state = state.commit([[state.hand[2], 0], *SPOTS[0]])
    assert (state.is_over, state.ranking()) == (True, [{"cyd"}])


def test_others_can_sit_down_in_the_middle_and_play_on() -> None:
    state = placed(4, (34, 34, *[2] * 30)).commit([34, 0]).kick("cyd")
    again = state.reseated(["A", "B", "C", "D"])
    assert (again.players, again.kicked) == (("A", "B", "C", "D"), ("C",))
    assert [entry.player for entry in again.history] == ["A", "B", "C", "D", "A", "C"]
    assert again.position == state.position
    assert game.load(again.save()) == again
    assert asked(again) == ("B", "setup")  # neither A, who fell, nor C hears anything
    again = again.commit(None)
    assert asked(again) == ("D", "setup")
    again = again.commit(None)
    assert (asked(again), again.hand) == (("B", "move"), state.hand)
    assert again.phase == state.phase
    with pytest.raises(ValueError, match="4 seats"):
        state.reseated(["A"])


def test_an_answer_is_only_taken_where_one_is_wanted() -> None:
    state = game.setup(NAMES[:3])
    assert state.check(None) is None
    assert state.check([2, 0]) == "setup wants no answer"
    with pytest.raises(Illegal, match="wants no answer"):
        state.commit([2, 0])
    assert start(3).check(None) is not None
    over = state.kick("ada").kick("bob").kick("cyd")
    assert over.check(None) == "the game is over"
    with pytest.raises(Illegal, match="the game is over"):
        over.commit(None)


def test_spectators_see_the_table_and_what_was_done() -> None:
    state = placed(3, (2,) * 20).commit([2, 90]).kick("bob").commit([2, 0]).commit([2, 0])
    seen = state.public()
    assert seen.colors == ("white", "black", "red")
    assert ((1, 1), (2, 90)) in seen.tiles
    assert seen.avatars[1] is None
    assert (seen.to_move, seen.round, seen.turn, seen.phase) == ("cyd", 2, 7, "moving")
    assert seen.history == state.history
    assert [entry.player for entry in seen.this_round] == ["ada"]
    assert [(name, entry.turn) for name, entry in seen.last.items()] == [("ada", 7), ("bob", 2), ("cyd", 6)]


@pytest.mark.parametrize(
    ("players", "config", "why"),
    [
        (["a", "b"], None, "3 to 5 players, not 2"),
        (list("abcdef"), None, "3 to 5 players, not 6"),
        (["a", "b", "a"], None, "two players have the same name"),
        (["a", "b", 3], None, "players are given by name"),
        (NAMES, Config(width=4, height=4), "4 x 4 is too small for 5 players"),
        (NAMES, Config(width=2), "width"),
        (NAMES, Config(height=31), "height"),
        (NAMES, {"tiles": []}, "tiles"),
        (NAMES, {"tiles": [35]}, "tiles"),
        (NAMES, {"tiles": "backwards"}, "tiles"),
        (NAMES, {"color": "red"}, "color"),
        (NAMES, 7, "no configuration for Tsuro"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_a_sentence(players: list[Any], config: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        game.setup(players, config)


def test_the_smallest_boards_have_room_for_everyone_wherever_they_begin() -> None:
    for seats, width, height in ((3, 3, 3), (4, 3, 4), (5, 4, 5)):
        state = start(seats, Config(width=width, height=height))
        for turn in range(seats):
            squares = view(state).free_squares()
            square = squares[turn % 2 - 1]
            state = state.commit([[state.hand[0], 0], square, view(state).inward_ports(square)[0]])
        assert state.phase == "moving"
