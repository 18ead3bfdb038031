"""Whoever fails is shown out with its verdict, told why if it can still hear, and the game goes on without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from referee.events import Ended, Kicked, Started
from referee.match import Terms
from referee.record import read
from sandbox import Budget, Ending
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, file, play, reference, source, watched

# Whoever is called says so; what it prints is its own log.
TELLS_ALL = """
def setup(view): print("setup")
def game_over(outcome): print("game_over", outcome.won)
def kicked(reason): print("kicked", reason)
"""


FAILURES = {
    "exception": "raise ValueError('no idea')",
    "illegal-move": "return None",
    "cpu-timeout": "while True: pass",
    "wall-timeout": "import time; time.sleep(60)",
    "exit": "import os; os._exit(0)",
    "crash": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "memory": "bytearray(1 << 33)",
}


@pytest.mark.parametrize("ending", FAILURES)
def test_who_fails_is_kicked_with_its_verdict_and_the_others_play_on(
    ending: str, zygotes: Zygotes, tmp_path: Path
) -> None:
    text = source("fish", f"def movement(view):\n    {FAILURES[ending]}\n")
    terms = Terms(move=Budget(cpu=0.3, wall=1.0))
    entrants = [reference("fish", "a"), file(tmp_path, "bad", text), reference("fish", "c")]
    result = play("fish", entrants, zygotes("fish"), terms=terms)
    (kick,) = result.kicked
    assert (kick.player, kick.verdict.ending, kick.verdict.method, kick.turn) == ("bad", ending, "movement", 11)
    assert set().union(*result.ranking) == {"a", "c"}
    assert result.state.is_over


def test_a_kicked_player_is_told_why_and_then_not_spoken_to(zygotes: Zygotes, tmp_path: Path) -> None:
    entrants = [
        file(tmp_path, "bad", source("fish", TELLS_ALL + "def movement(view): return [[0, 0], [0, 0]]\n")),
        file(tmp_path, "good", source("fish", TELLS_ALL)),
    ]
    result = play("fish", entrants, zygotes("fish"))
    said = result.output["bad"].splitlines()
    assert said == ["setup", f"kicked {result.kicked[0].verdict}"]
    assert said[1].startswith("kicked illegal-move: ")
    assert result.output["good"].splitlines() == ["setup", "game_over True"]


def test_who_hangs_when_it_is_told_why_keeps_nobody(zygotes: Zygotes, tmp_path: Path) -> None:
    text = source("fish", "def movement(view): return None\ndef kicked(reason):\n    while True: pass\n")
    result = play("fish", [file(tmp_path, "bad", text), reference("fish", "b")], zygotes("fish"))
    assert [kick.verdict.ending for kick in result.kicked] == ["illegal-move"]
    assert result.usage["bad"].cpu < 2.0


@pytest.mark.parametrize(
    ("game", "method", "turn"),
    [
        ("fish", "setup", 0),
        ("q", "setup", 0),
        ("tsuro", "setup", 0),
        ("q", "new_tiles", 1),
        ("fish", "game_over", None),
        ("q", "game_over", None),
        ("tsuro", "game_over", None),
    ],
)
def test_failing_in_a_call_that_wants_no_move_counts_too(
    game: str, method: str, turn: int | None, zygotes: Zygotes, tmp_path: Path
) -> None:
    bad = file(tmp_path, "bad", source(game, f"def {method}(view): raise RuntimeError('not now')\n"))
    others = [reference(game, name) for name in "bcd"]
    # Whoever has fallen in Tsuro hears no game_over: the last seat stays in.
    path = tmp_path / "game.jsonl"
    result = play(game, [bad, *others], zygotes(game), record=str(path), seed=3)
    if game == "tsuro" and method == "game_over" and not result.kicked:
        assert result.ranking[0] != {"bad"}  # fallen before the end
        return
    (kick,) = result.kicked
    assert (kick.player, kick.verdict.ending, kick.verdict.method) == ("bad", Ending.EXCEPTION, method)
    assert kick.turn == (result.state.turn if turn is None else turn)
    assert set().union(*result.ranking) == {"b", "c", "d"}
    read(path).verify()


def test_nobody_is_promoted_when_the_winner_fails_at_the_end(zygotes: Zygotes, tmp_path: Path) -> None:
    bad = file(tmp_path, "bad", source("fish", "def game_over(outcome): raise RuntimeError\n"))
    loser = file(tmp_path, "loser", source("fish", TELLS_ALL))
    config = games.get("fish").config(board=((5, 5, 5, 1, 1, 1, 1, 1, 1, 1),))
    result = play("fish", [bad, loser], zygotes("fish"), config=config)
    assert result.kicked[0].verdict.method == "game_over"
    assert result.ranking in ([set(), {"loser"}], [{"loser"}])
    assert ("game_over True" in result.output["loser"]) == (result.ranking == [{"loser"}])


def test_a_file_that_does_not_load_is_kicked_at_turn_0(zygotes: Zygotes, tmp_path: Path) -> None:
    broken = file(tmp_path, "broken", "def placement(view:\n")
    path = tmp_path / "game.jsonl"
    told = watched("fish", [reference("fish", "a"), broken, reference("fish", "c")], zygotes("fish"), record=str(path))
    assert isinstance(told[0], Started)
    assert told[0].state.kicked == ()
    kick = told[1]
    assert isinstance(kick, Kicked)
    assert (kick.player, kick.verdict.ending, kick.verdict.method, kick.turn) == ("broken", "load-error", "", 0)
    assert kick.verdict.line == 1
    assert isinstance(told[-1], Ended)
    assert set().union(*told[-1].result.ranking) == {"a", "c"}
    read(path).verify()


@pytest.mark.parametrize("game", KINDS)
@pytest.mark.parametrize("how", ["while loading", "in setup", "in a turn"])
def test_a_game_in_which_everybody_is_kicked_ends_properly(
    game: str, how: str, zygotes: Zygotes, tmp_path: Path
) -> None:
    text = {
        "while loading": "1 / 0",
        "in setup": source(game, "def setup(view): 1 / 0\n"),
        "in a turn": source(game, f"def {games.get(game).required[0]}(view): 1 / 0\n"),
    }[how]
    path = tmp_path / "game.jsonl"
    told = watched(game, [file(tmp_path, name, text) for name in "abcd"], zygotes(game), record=str(path))
    assert isinstance(told[-1], Ended)
    result = told[-1].result
    assert result.ranking == []
    assert [kick.player for kick in result.kicked] == ["a", "b", "c", "d"]
    assert result.state.is_over
    read(path).verify()
