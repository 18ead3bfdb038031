"""`referee reproduce`: one file asked what its player was asked in a recorded game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.record import RecordError, read
from referee.reproduce import questions, seat_of
from sandbox import Submission
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, file, play, reference, references, source


def reproduce(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, ["reproduce", *map(str, words)])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


def as_json(*words: str | Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(reproduce(*words, "--json").stdout)
    return told


def played(zygotes: Zygotes, folder: Path, game: str, text: str) -> Path:
    """The record of a game that `bad`, of this text, plays in the second seat."""
    path = folder / "game.jsonl"
    entrants = [reference(game, "a"), file(folder, "bad", text), reference(game, "c")]
    play(game, entrants, zygotes(game), record=str(path), seed=3)
    return path


FAILS = {
    "illegal": ("fish", "def movement(view): return view.legal_moves()[0] if view.turn < 12 else [[0, 0], [0, 0]]\n"),
    "raises": ("fish", "def movement(view):\n    print('turn')\n    return 1 // (12 - view.turn) and None\n"),
    "by chance": ("tsuro", "def move(view):\n    import random\n    assert random.random() < .7\n    return None\n"),
    "setup": ("q", "def setup(view): assert view.turn\n"),
    "new tiles": ("q", "def new_tiles(tiles): raise KeyError('?')\n"),
    "the end": ("q", "def game_over(outcome): raise KeyError('?')\n"),
    "exits": ("fish", "def movement(view):\n    import os\n    os._exit(3)\n"),
    "loading": ("fish", "undefined_name\n"),
}


@pytest.mark.parametrize("case", FAILS)
def test_a_kick_is_reproduced_without_opponents(case: str, zygotes: Zygotes, tmp_path: Path) -> None:
    game, text = FAILS[case]
    path = played(zygotes, tmp_path, game, source(game, text))
    (kick,) = [line for line in read(path).lines if hasattr(line, "verdict")]
    told = as_json(path, tmp_path / "bad.py")
    assert told["fails"] is told["reproduced"] is told["same_file"] is True
    assert told["failure"] == told["recorded"]
    failure = told["failure"]
    assert (failure["verdict"], failure["method"]) == (kick.verdict.ending, kick.verdict.method)
    assert (failure["turn"], failure["line"]) == (kick.turn, kick.verdict.line or None)
    assert told["different"] == []
    assert told["state"]["turn"] == kick.turn - (kick.verdict.method in ("movement", "move"))


def test_it_is_shown_where_it_fails(zygotes: Zygotes, tmp_path: Path) -> None:
    text = source("fish", "def movement(view):\n    print('thinking')\n    return view.legal_moves()[10 ** 6]\n")
    path = played(zygotes, tmp_path, "fish", text)
    result = reproduce(path, tmp_path / "bad.py")
    assert result.exit_code == 1
    shown = result.stdout
    assert "It fails in movement, turn 11:" in shown
    assert "exception: IndexError: list index out of range" in shown
    assert "bad.py, line 6, in movement" in shown
    assert "return view.legal_moves()[10 ** 6]" in shown
    assert read(path).at(10).text().rstrip() in shown
    assert "  | thinking" in shown
    assert "So it did in the record." in shown


def test_a_file_that_was_mended_does_not_fail(zygotes: Zygotes, tmp_path: Path) -> None:
    path = played(zygotes, tmp_path, "fish", source("fish", "def movement(view): return None\n"))
    (tmp_path / "bad.py").write_text(source("fish"))
    result = reproduce(path, tmp_path / "bad.py")
    assert result.exit_code == 0
    assert "which has changed since" in result.stdout
    assert "It does not fail." in result.stdout
    assert "In the record it failed in movement, turn 11: illegal-move" in result.stdout
    told = as_json(path, tmp_path / "bad.py")
    assert (told["fails"], told["same_file"], told["failure"], told["state"]) == (False, False, None, None)
    assert told["recorded"]["turn"] == 11


@pytest.mark.parametrize("game", KINDS)
def test_who_played_to_the_end_is_asked_everything_and_answers_the_same(
    game: str, zygotes: Zygotes, tmp_path: Path
) -> None:
    path = played(zygotes, tmp_path, game, source(game, "def setup(view): pass\ndef game_over(outcome): pass\n"))
    record = read(path)
    told = as_json(path, tmp_path / "bad.py")
    moves = [line for line in record.lines if line.player == "bad"]
    if any(hasattr(line, "verdict") for line in moves):
        pytest.skip("no option was legal")
    assert told["fails"] is False
    assert told["different"] == []
    fell = not any(question.ask.method == "game_over" for question in questions(record, "bad"))
    assert told["asked"] == 1 + len(moves) + (not fell)


def test_other_answers_than_those_of_the_record_are_shown(zygotes: Zygotes, tmp_path: Path) -> None:
    path = played(zygotes, tmp_path, "fish", source("fish"))
    (tmp_path / "bad.py").write_text(source("fish", "def placement(view): return view.free_tiles()[-1]\n"))
    told = as_json(path, tmp_path / "bad.py")
    assert told["fails"] is False
    first = told["different"][0]
    assert first["turn"] == 2
    assert first["recorded"] != first["answered"]
    assert "of its answers are not those of the record, first in turn 2" in reproduce(path, tmp_path / "bad.py").stdout


def test_a_record_that_breaks_off_asks_the_last_question_too(zygotes: Zygotes, tmp_path: Path) -> None:
    """Of a game whose referee was killed while a player was thinking."""
    path = played(zygotes, tmp_path, "fish", source("fish", "def movement(view): return None\n"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:11]))  # ten turns, and the eleventh is open
    told = as_json(path, tmp_path / "bad.py")
    assert told["recorded"] is None
    assert told["failure"]["turn"] == 11


# Whose file it is


def test_a_file_is_known_by_what_it_holds_its_path_or_its_name(zygotes: Zygotes, tmp_path: Path) -> None:
    record = read(played(zygotes, tmp_path, "fish", source("fish")))
    held = tmp_path / "renamed.py"
    held.write_text(source("fish"))
    assert seat_of(record, str(held), Submission.read(held)) == 1
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("bad.py", "c.py"):
        (elsewhere / name).write_text("# changed\n")
    assert seat_of(record, str(elsewhere / "bad.py"), Submission.read(elsewhere / "bad.py")) == 1
    assert seat_of(record, str(elsewhere / "c.py"), Submission.read(elsewhere / "c.py")) == 2


def test_a_file_that_nobody_played_is_taken_for_the_one_who_was_kicked(zygotes: Zygotes, tmp_path: Path) -> None:
    path = played(zygotes, tmp_path, "fish", source("fish", "def movement(view): return None\n"))
    other = tmp_path / "mended.py"
    other.write_text(source("fish"))
    assert as_json(path, other)["player"] == "bad"


def test_where_a_file_does_not_tell_a_player_must_be_named(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play("fish", references("fish"), zygotes("fish"), record=str(path))
    other = tmp_path / "other.py"
    other.write_text(source("fish"))
    with pytest.raises(RecordError, match="not clear which player"):
        seat_of(read(path), str(other), Submission.read(other))
    result = reproduce(path, other)
    assert result.exit_code == 2
    assert "the record's players are a (greedy), b (greedy); name one with --player" in result.output
    assert as_json(path, other, "--player", "b")["player"] == "b"
    assert "There is no player x" in reproduce(path, other, "--player", "x").output


def test_a_reference_strategy_can_be_asked_by_its_name(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play("fish", references("fish"), zygotes("fish"), record=str(path))
    told = as_json(path, "greedy", "--player", "b")
    assert (told["fails"], told["different"], told["same_file"]) == (False, [], True)


@pytest.mark.parametrize("word", ["missing.py", "human", ""])
def test_what_is_no_file_is_a_users_mistake(word: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = played(zygotes, tmp_path, "fish", source("fish"))
    result = reproduce(path, word)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
