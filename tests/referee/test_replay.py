"""`referee replay`: a recorded game shown again, or its state after any turn."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee import games
from referee.cli import main
from referee.record import read
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, edited, file, play, reference, references, source


def replay(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, ["replay", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def as_json(*words: str | Path) -> dict[str, Any]:
    result = replay(*words, "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


@pytest.fixture
def record(zygotes: Zygotes, tmp_path: Path) -> Path:
    """A game in which one player is kicked in turn 14."""
    bad = source("fish", "def movement(view): return view.legal_moves()[0] if view.turn < 13 else None\n")
    path = tmp_path / "game.jsonl"
    entrants = [reference("fish", "a"), file(tmp_path, "bad", bad)]
    play("fish", entrants, zygotes("fish"), record=str(path), seed=3)
    return path


def test_the_whole_game_is_told_with_its_result_and_the_way_to_reproduce_a_kick(record: Path) -> None:
    shown = replay(record).stdout
    assert "turn 1: a: placement" in shown
    assert "turn 14: bad is kicked in movement: illegal-move" in shown
    assert read(record).final().text().rstrip() in shown
    assert "1. a" in shown
    bad = record.with_name("bad.py")
    assert f"referee reproduce {record} {bad} --player bad" in shown


def test_the_board_is_shown_as_it_was_after_a_turn(record: Path) -> None:
    shown = replay(record, "--at", "5").stdout
    assert "turn 5: a: placement" in shown
    assert "turn 6" not in shown
    assert read(record).at(5).text().rstrip() in shown
    assert read(record).start().text().rstrip() in replay(record, "--at", "0").stdout


def test_the_state_for_programs(record: Path) -> None:
    told = as_json(record, "--at", "5")
    state = read(record).at(5)
    assert (told["turn"], told["turns"], told["over"], told["complete"]) == (5, read(record).turns, False, True)
    assert told["players"] == ["a", "bad"]
    assert set(told["colors"]) == {"a", "bad"}
    assert told["kicked"] == []
    assert games.get("fish").load(told["state"]) == state
    final = as_json(record)
    (kick,) = final["kicked"]
    assert (kick["player"], kick["verdict"], kick["method"], kick["turn"]) == ("bad", "illegal-move", "movement", 14)
    assert final["over"]
    assert final["ranking"] == [["a"]]
    assert final["scores"] == read(record).final().scores()
    assert final["reproduce"][0].startswith("referee reproduce ")


def test_a_turn_that_failed_can_be_shown_too(record: Path) -> None:
    assert "bad is kicked" in replay(record, "--at", "14").stdout
    assert as_json(record, "--at", "13")["kicked"] == []
    assert len(as_json(record, "--at", "14")["kicked"]) == 1


@pytest.mark.parametrize("game", KINDS)
def test_a_state_that_was_written_can_be_played_on_from(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path, state = tmp_path / "game.jsonl", tmp_path / "state.json"
    whole = play(game, references(game), zygotes(game), record=str(path))
    assert replay(path, "--at", "6", "--state", state).exit_code == 0
    loaded = games.get(game).load(json.loads(state.read_text()))
    assert loaded == read(path).at(6)
    assert play(game, references(game), zygotes(game), start=loaded).state == whole.state


def test_the_board_is_drawn_into_a_file(record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    assert replay(record, "--at", "5", "--svg", picture).exit_code == 0
    assert picture.read_text() == read(record).at(5).svg()
    replay(record, "--svg", picture)
    assert picture.read_text() == read(record).final().svg()


def test_a_png_without_the_extra_is_a_users_mistake(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    result = replay(record, "--svg", tmp_path / "board.png")
    assert result.exit_code == 2
    assert "pip install 'referee[png]'" in result.output


def test_watching_shows_every_board_and_stdout_is_for_results(record: Path) -> None:
    result = replay(record, "--watch", "--json")
    told = json.loads(result.stdout)  # one object, nothing else
    assert result.stderr.count("Fish, ") == len(list(read(record).events()))
    assert told["over"]


def test_a_record_that_breaks_off_is_shown_as_far_as_it_goes(record: Path) -> None:
    record.write_bytes(record.read_bytes()[:2500])
    shown = replay(record)
    assert shown.exit_code == 0
    assert "The record breaks off here" in shown.stdout
    told = as_json(record)
    assert not told["complete"]
    assert told["turn"] == told["turns"] == read(record).turns


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--at", "999"], "no turn 999: the record has turns 1 to"),
        (["--at", "-1"], "--at"),
        (["--svg", "missing/board.svg"], "missing/board.svg cannot be written: No such file or directory"),
        (["--state", "missing/board.json"], "missing/board.json cannot be written: No such file or directory"),
    ],
)
def test_a_mistake_gets_a_sentence(record: Path, words: list[str], why: str) -> None:
    result = replay(record, *words)
    assert result.exit_code == 2
    assert why in result.output
    assert "Traceback" not in result.output


def test_a_record_that_is_not_true_is_not_shown_as_if_it_were(record: Path) -> None:
    result = replay(edited(record, '"turn":1', '"turn":3', 2))
    assert result.exit_code == 2
    assert "line 2: this is turn 1, not 3" in result.output


def test_what_a_strangers_record_says_cannot_command_the_terminal(record: Path) -> None:
    number = next(n for n, text in enumerate(record.read_text().splitlines(), 1) if '"kind":"kicked"' in text)
    evil = edited(record, r'"detail":"', r'"detail":"\\u001b[2J\\u202e', number)
    shown = CliRunner().invoke(main, ["replay", str(evil)], color=True).stdout
    assert shown.count("\\x1b[2J\\u202e") == 2, "in the line of the kick, and at the end"
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
