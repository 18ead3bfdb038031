"""A person at the terminal: shown the table, understood in many forms, told why not, asked again."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest

from referee import games
from referee.games.game import Ask, State
from referee.games.tsuro import course
from referee.human import Human, understood
from referee.match import Entrant
from sandbox import Budget, Ending, Misconduct
from tests.referee.table import play, reference

PAIR = tuple[int, int]


def ready(game: str, seats: int) -> tuple[State, Ask]:
    """The first state in which somebody is asked for a move."""
    state = games.get(game).setup(list("abcde"[:seats]), seed=1)
    while (ask := state.ask()) is not None and ask.reply is None:
        state = state.commit(None)
    assert ask is not None
    return state, ask


def typed(game: str, lines: str, seats: int = 2) -> tuple[Any, str]:
    """What a person who types these lines answers, and what the screen showed."""
    state, ask = ready(game, seats)
    screen = io.StringIO()
    human = Human(ask.player, games.get(game), io.StringIO(lines), screen)
    human.look(state)
    try:
        return human.ask(ask.method, ask.view, ask.reply, Budget()), screen.getvalue()
    except Misconduct as misconduct:
        return misconduct.verdict, screen.getvalue()


@pytest.mark.parametrize(
    ("line", "reply", "answer"),
    [
        ("[1, 2]", PAIR, (1, 2)),
        ("1 2", PAIR, (1, 2)),
        ("(1, 2)", PAIR, (1, 2)),
        ("1,-2", PAIR, (1, -2)),
        ("0 0 -> 1 1", tuple[PAIR, PAIR], ((0, 0), (1, 1))),
        ("[[0,0],[1,1]]", tuple[PAIR, PAIR], ((0, 0), (1, 1))),
        ("17 90 3 0 A", tuple[PAIR, PAIR, str], ((17, 90), (3, 0), "A")),
        ('[[17, 90], [3, 0], "A"]', tuple[PAIR, PAIR, str], ((17, 90), (3, 0), "A")),
    ],
)
def test_json_and_bare_words_are_understood_alike(line: str, reply: Any, answer: Any) -> None:
    assert understood(line, reply) == answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("pass", "pass"),
        ('"exchange"', "exchange"),
        ("0 1 star red", [((0, 1), ("star", "red"))]),
        ("0 1 8star red, 0 2 8star blue", [((0, 1), ("8star", "red")), ((0, 2), ("8star", "blue"))]),
    ],
)
def test_the_answers_of_q_are_understood(line: str, answer: Any) -> None:
    _, ask = ready("q", 2)
    assert understood(line, ask.reply) == answer


@pytest.mark.parametrize("line", ["", "1", "1 2 3", "a b", "1.5 2", "[[1], 2, 3]", "\x00", "9" * 5000 + " 1"])
def test_what_cannot_be_understood_is_a_value_error(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        understood(line, PAIR)


def test_the_table_is_shown_and_a_legal_answer_taken() -> None:
    answer, screen = typed("fish", "0 0\n")
    assert answer == (0, 0)
    assert "Fish, placing" in screen


def test_an_illegal_answer_is_refused_with_its_reason_and_asked_again() -> None:
    answer, screen = typed("fish", "9 9\nhelp\n\n0 0\n")
    assert answer == (0, 0)
    assert "that does not work: (9, 9) is not on the board" in screen
    assert "such as [0,0]" in screen
    assert screen.count("your placement") == 4


def test_the_legal_moves_can_be_listed() -> None:
    answer, screen = typed("tsuro", "moves\n0 0 1 0 D\n", seats=3)
    assert "[[0,0],[1,0]," in screen
    assert "more" in screen
    assert answer == ((0, 0), (1, 0), "D")


def test_a_hand_is_shown_to_its_owner() -> None:
    answer, screen = typed("q", "pass\n")
    assert answer == "pass"
    state, _ = ready("q", 2)
    assert f"your tiles: {', '.join(map(str, state.hands[0]))}" in screen  # type: ignore[attr-defined]


def test_the_paths_of_tsuros_tiles_are_shown_to_who_must_choose() -> None:
    _, screen = typed("tsuro", "0 0 1 0 D\n", seats=3)
    assert "ports of a tile" in screen
    assert "   0  0, 180       AE BF CH DG\n" in screen


def test_help_shows_an_answer_as_data_and_as_bare_words() -> None:
    _, screen = typed("tsuro", "help\n0 0 1 0 D\n", seats=3)
    assert 'such as [[0,0],[1,0],"C"], or just 0 0 1 0 C.' in screen


def test_who_has_no_way_out_is_told_and_not_asked_for_ever() -> None:
    _, ask = ready("tsuro", 3)
    corner = course.position([[[34, 0], "white", "C", 0, 0]])
    view = msgspec.structs.replace(ask.view, position=corner, hand=(4, 34), phase="moving")
    screen = io.StringIO()
    human = Human("a", games.get("tsuro"), io.StringIO("4 0\n"), screen)
    assert human.ask("move", view, PAIR, Budget()) == (4, 0)
    assert "whatever you answer, you are out" in screen.getvalue()


@pytest.mark.parametrize("lines", ["quit\n", "QUIT\n", ""])
def test_who_quits_or_closes_the_terminal_has_left(lines: str) -> None:
    verdict, _ = typed("fish", lines)
    assert (verdict.ending, verdict.method) == (Ending.EXIT, "placement")


def test_a_person_who_leaves_is_kicked_and_the_game_goes_on() -> None:
    game, screen = games.get("fish"), io.StringIO()
    lines = io.StringIO("0 0\nquit\n")
    person = Entrant("me", sit=lambda name, game: Human(name, game, lines, screen))
    result = play("fish", [person, reference("fish", "other")])
    assert [(kicked.player, kicked.verdict.ending) for kicked in result.kicked] == [("me", Ending.EXIT)]
    assert result.ranking == [{"other"}]
    assert "other: [" in screen.getvalue(), "what the others did since is told"
    assert "you are out" in screen.getvalue()
    assert game.name == "fish"
