"""One game between strangers, from seating to ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import games
from referee.events import Ended, Event, Moved, Placed, Started
from referee.match import Entrant
from referee.record import read
from referee.referee import Referee
from tests.referee.conftest import Zygotes
from tests.referee.table import (
    KINDS,
    QUICK,
    file,
    play,
    reference,
    references,
    source,
    strategy,
    timeless,
    trusted,
    watched,
)

# From seating to ranking


@pytest.mark.parametrize("game", KINDS)
def test_a_game_between_strangers_is_played_to_its_end_and_recorded(
    game: str, zygotes: Zygotes, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    result = play(game, references(game), zygotes(game), record=str(path))
    assert result.state.is_over
    assert result.state.ask() is None
    assert set().union(*result.ranking) == set(result.state.players)
    assert result.kicked == ()
    assert result.record == str(path)
    assert all(used.cpu > 0 and used.wall > 0 for used in result.usage.values())
    record = read(path)
    record.verify()
    assert record.result is not None
    assert record.result.ranking == [sorted(rank) for rank in result.ranking]
    assert record.final() == result.state


@pytest.mark.parametrize("game", KINDS)
def test_strangers_in_boxes_play_as_they_do_in_process(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    boxed, free = tmp_path / "boxed.jsonl", tmp_path / "free.jsonl"
    play(game, references(game), zygotes(game), record=str(boxed), seed=5)
    in_process = [trusted(entrant.name, strategy(game)) for entrant in references(game)]
    play(game, in_process, record=str(free), seed=5)
    assert timeless(boxed)[1:] == timeless(free)[1:]  # the headers tell who played


def test_a_game_makes_its_own_boxes_where_none_are_given(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert play("fish", references("fish"), record=str(path)).kicked == ()
    assert "seccomp" in read(path).header.layers


def test_a_class_of_a_notebook_travels_into_the_box(zygotes: Zygotes) -> None:
    class Notebook:
        def placement(self, view: Any) -> Any:
            return view.free_tiles()[-1]

        def movement(self, view: Any) -> Any:
            print("from the notebook")
            return view.legal_moves()[-1]

    result = play("fish", [Entrant("a", Notebook), reference("fish", "b")], zygotes("fish"))
    assert result.kicked == ()
    assert "from the notebook" in result.output["a"]


@pytest.mark.parametrize(("game", "seats"), [("fish", "2 to 4"), ("q", "2 to 4"), ("tsuro", "3 to 5")])
@pytest.mark.parametrize("count", [1, 6])
def test_a_wrong_number_of_players_is_told_the_range(game: str, seats: str, count: int) -> None:
    with pytest.raises(ValueError, match=f"{game} is for {seats} players, not {count}"):
        Referee(games.get(game), [reference(game, str(seat)) for seat in range(count)])


def test_players_must_have_different_names() -> None:
    with pytest.raises(ValueError, match="different names"):
        Referee(games.get("fish"), [reference("fish", "a"), reference("fish", "a")])


def test_an_impossible_setting_is_the_users_mistake() -> None:
    fish = games.get("fish")
    with pytest.raises(ValueError, match="larger board"):
        Referee(fish, references("fish"), config=fish.config(rows=1, columns=2)).run()


def test_somebody_must_sit_in_every_seat() -> None:
    with pytest.raises(ValueError, match="b has nothing to play with"):
        Referee(games.get("fish"), [reference("fish", "a"), Entrant("b")])


def test_the_seat_of_one_who_was_kicked_stays_empty(zygotes: Zygotes) -> None:
    start = games.get("fish").setup(["a", "b", "c"]).kick("b")
    entrants = [reference("fish", "a"), Entrant("x"), reference("fish", "c")]
    assert play("fish", entrants, zygotes("fish"), start=start).state.kicked == ("x",)


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", 2**64, {1: 2}, [print], ENDLESS, 1j])
def test_parameters_are_plain_data(value: Any) -> None:
    a, b = references("fish")
    with pytest.raises(ValueError, match="the parameter depth of b is no plain data"):
        Referee(games.get("fish"), [a, msgspec.structs.replace(b, parameters={"depth": value})])
    plain = [None, True, 2**64 - 1, 1.5, "text", {"a": [1, (2,)]}]
    Referee(games.get("fish"), [a, msgspec.structs.replace(b, parameters={"depth": plain})])


# Determinism


@pytest.mark.parametrize("game", KINDS)
def test_the_same_seed_gives_the_same_record_but_for_the_timings(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for path, seed in zip(paths, (7, 7, 8), strict=True):
        entrants = [reference(game, name, None if game == "q" else "random") for name in "abc"]
        play(game, entrants, zygotes(game), seed=seed, record=str(path))
    first, second, other = map(timeless, paths)
    assert first == second
    assert first[1:] != other[1:]


def test_each_player_has_random_numbers_of_its_own_from_the_seed(zygotes: Zygotes, tmp_path: Path) -> None:
    text = source("fish", "def setup(view):\n    import random\n    print(random.random(), hash('a'))\n")
    entrants = [file(tmp_path, "a", text), file(tmp_path, "b", text)]
    first, again, other = (play("fish", entrants, zygotes("fish"), seed=seed).output for seed in (1, 1, 2))
    assert first == again
    assert len({*first.values(), *other.values()}) == 4


def test_every_game_has_fresh_workers(zygotes: Zygotes, tmp_path: Path) -> None:
    text = source("fish", "count = 0\ndef setup(view):\n    global count\n    count += 1\n    print(count)\n")
    referee = Referee(
        games.get("fish"), [file(tmp_path, "a", text), reference("fish", "b")], terms=QUICK, zygote=zygotes("fish")
    )
    assert [referee.run().output["a"] for _ in range(3)] == ["1\n"] * 3


# Events


@pytest.mark.parametrize("game", KINDS)
def test_observers_are_told_everything_in_order(game: str, zygotes: Zygotes) -> None:
    told = watched(game, references(game), zygotes(game))
    assert isinstance(told[0], Started)
    assert isinstance(told[-1], Ended)
    moves = told[1:-1]
    assert all(isinstance(event, Moved) for event in moves)
    assert [event.state.turn for event in moves] == list(range(1, len(moves) + 1))
    assert all(event.used.wall > 0 for event in moves if isinstance(event, Moved))
    placed = [isinstance(event, Placed) for event in moves]
    assert placed == sorted(placed, reverse=True)
    assert any(placed) == (game != "q")


def test_subscribing_and_unsubscribing() -> None:
    referee = Referee(games.get("fish"), [trusted(name, strategy("fish")) for name in "ab"])
    first: list[Event] = []
    second: list[Event] = []
    hear_first, hear_second = first.append, second.append
    assert referee.unsubscribe(hear_first) is False
    assert referee.subscribe(hear_first) is True
    assert referee.subscribe(hear_second) is True
    referee.run()
    assert len(first) == len(second) > 2
    assert referee.unsubscribe(hear_second) is True
    assert referee.unsubscribe(hear_second) is False
    length = len(second)
    referee.run()
    assert len(first) == 2 * length
    assert len(second) == length


def test_who_subscribes_during_a_game_is_told_of_the_next_one() -> None:
    late: list[Event] = []

    class Subscribes:
        def setup(self, view: Any) -> None:
            referee.subscribe(late.append)

        def __getattr__(self, method: str) -> Any:
            return getattr(strategy("fish"), method)

    referee = Referee(games.get("fish"), [trusted("a", Subscribes()), trusted("b", strategy("fish"))])
    referee.run()
    assert late == []
    referee.run()
    assert isinstance(late[0], Started)


# What players may know


def test_views_go_only_to_those_who_may_see_them() -> None:
    q = games.get("q")
    first, mine, yours = ["square", "red"], ["star", "red"], ["diamond", "purple"]
    pile = [first, *[mine] * 6, *[yours] * 6, *[["circle", "blue"]] * 20]
    config = msgspec.convert({"pile": pile}, q.config)
    seen: dict[str, list[str]] = {"a": [], "b": []}

    class Spy:
        def __init__(self, name: str) -> None:
            self.name = name

        def look(self, view: Any) -> None:
            if hasattr(view, "me"):
                assert view.me == self.name
            seen[self.name].append(repr(view).lower())

        setup = new_tiles = game_over = look

        def take_turn(self, view: Any) -> str:
            self.look(view)
            return "pass"

    play("q", [trusted("a", Spy("a")), trusted("b", Spy("b"))], config=config)
    assert len(seen["a"]) == len(seen["b"]) == 3
    assert any("star" in view for view in seen["a"])
    assert any("diamond" in view for view in seen["b"])
    assert not any("diamond" in view for view in seen["a"])
    assert not any("star" in view for view in seen["b"])
    assert not any("circle" in view for views in seen.values() for view in views), "the pile"


# From a saved state


@pytest.mark.parametrize("game", KINDS)
def test_a_game_goes_on_from_a_saved_state_with_others_who_are_set_up(
    game: str, zygotes: Zygotes, tmp_path: Path
) -> None:
    first = tmp_path / "first.jsonl"
    entrants = [reference(game, name) for name in ("x", "y", "z")]
    entrants[1] = file(tmp_path, "y", source(game, "def setup(view): 1 / 0\n"))
    play(game, entrants, zygotes(game), record=str(first))
    saved = games.get(game).load(read(first).at(7).save())

    tells = source(game, "def setup(view): print('setup', view.me, view.turn, view.phase)\n")
    others = [file(tmp_path, name, tells) for name in ("p", "q", "r")]
    others[1] = file(tmp_path, "q", "this does not load")  # nor need it: its seat was empty before
    path = tmp_path / "second.jsonl"
    result = play(game, others, zygotes(game), start=saved, record=str(path))
    assert result.state.players == ("p", "q", "r")
    assert result.state.kicked[0] == "q"
    assert "q" not in {kick.player for kick in result.kicked}
    assert result.output["p"] == f"setup p 7 {saved.phase}\n"
    assert result.output["q"] == ""
    assert result.output["r"] == f"setup r 7 {saved.phase}\n"
    record = read(path)
    record.verify()
    assert record.lines[0].turn == 8


@pytest.mark.parametrize("game", KINDS)
def test_who_plays_on_from_a_state_comes_to_the_same_end(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    whole = play(game, references(game), zygotes(game), record=str(path))
    for turn in (0, 1, 4, 9):
        part = play(game, references(game), zygotes(game), start=read(path).at(turn))
        assert part.state == whole.state


def test_a_saved_game_that_is_over_or_has_other_seats_is_refused(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    result = play("fish", references("fish"), zygotes("fish"), record=str(path))
    with pytest.raises(ValueError, match="is over"):
        Referee(games.get("fish"), references("fish"), start=result.state)
    with pytest.raises(ValueError, match="2 seats, not 3"):
        Referee(games.get("fish"), [reference("fish", name) for name in "abc"], start=read(path).at(3))
