"""`referee resume`: a recorded game played on from any of its turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee import games
from referee.cli import main
from referee.record import read
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, file, play, reference, references, source, strategy, trusted


def resume(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, ["resume", *map(str, words)])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


def as_json(*words: str | Path) -> dict[str, Any]:
    result = resume(*words, "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


@pytest.fixture
def record(zygotes: Zygotes, tmp_path: Path) -> Path:
    """A game of Fish between a file that is kicked in turn 14, and two that play on."""
    bad = source("fish", "def movement(view): return view.legal_moves()[0] if view.turn < 12 else None\n")
    path = tmp_path / "game.jsonl"
    entrants = [reference("fish", "a"), file(tmp_path, "bad", bad), reference("fish", "c", "minimax:depth=1")]
    play("fish", entrants, zygotes("fish"), record=str(path), seed=3)
    assert [line.turn for line in read(path).lines if hasattr(line, "verdict")] == [14]
    return path


@pytest.mark.parametrize("game", KINDS)
def test_the_players_of_the_record_come_to_the_same_end(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path, again = tmp_path / "game.jsonl", tmp_path / "again.jsonl"
    whole = play(game, references(game), zygotes(game), record=str(path), seed=5)
    told = as_json(path, "--at", "7", "--record", again)
    assert games.get(game).load(told["state"]) == whole.state
    assert told["ranking"] == [sorted(rank) for rank in whole.ranking]
    assert told["record"] == str(again)
    assert told["turns"] == whole.state.turn
    record = read(again)
    record.verify()
    assert record.header.id == told["id"] != read(path).header.id
    assert record.header.start is not None
    assert record.lines[0].turn == 8


def test_the_object_is_that_of_play(record: Path) -> None:
    told = as_json(record, "--at", "3")
    assert list(told) == [
        "id", "game", "seed", "players", "colors", "ranking", "scores", "kicked", "turns", "usage", "state", "record",
    ]  # fmt: skip
    assert told["seed"] == 3
    assert told["players"] == ["a", "bad", "c"]
    assert told["kicked"][0]["turn"] == 14
    assert told["record"] is None


def test_others_may_play_on(record: Path) -> None:
    told = as_json(record, "--at", "13", "greedy", "random", "x=greedy")
    assert told["players"] == ["greedy", "random", "x"]
    assert told["kicked"] == []


def test_a_player_may_be_replaced_by_its_name(record: Path, tmp_path: Path) -> None:
    fixed = tmp_path / "fixed.py"
    fixed.write_text(source("fish", "def setup(view): print(view.me, view.turn)\n"))
    told = as_json(record, "--at", "13", f"bad={fixed}", "--record", tmp_path / "again.jsonl")
    assert told["players"] == ["a", "bad", "c"]
    assert told["kicked"] == []
    players = read(tmp_path / "again.jsonl").header.players
    assert [player["given"] for player in players] == ["greedy", str(fixed), "minimax:depth=1"]
    assert players[2]["parameters"] == {"depth": 1}


def test_strategies_start_fresh_with_setup(record: Path, tmp_path: Path) -> None:
    tells = tmp_path / "tells.py"
    text = "def setup(view):\n    print(view.me, view.turn)\ndef movement(view): raise ValueError\n"
    tells.write_text(source("fish", text))
    result = resume(record, "--at", "11", f"bad={tells}")
    assert "| bad 11" in result.stdout


def test_who_was_kicked_by_then_stays_out_whatever_became_of_its_file(record: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.py").unlink()
    told = as_json(record, "--at", "15")
    assert told["ranking"] == [sorted(rank) for rank in read(record).final().ranking()]
    assert told["kicked"] == []  # not in this game
    assert told["state"]["kicked"] == ["bad"]


def test_a_changed_file_is_refused(record: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(bad.read_text() + "# better now\n")
    result = resume(record, "--at", "5")
    assert result.exit_code == 2
    assert f"{bad} is not the file that bad played with" in result.output
    assert resume(record, "--at", "5", f"bad={bad}").exit_code == 0


def test_a_file_that_is_gone_is_a_users_mistake(record: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.py").unlink()
    result = resume(record, "--at", "5")
    assert result.exit_code == 2
    assert "bad.py does not exist" in result.output


def test_a_player_that_was_no_file_has_to_be_named(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play("fish", [trusted("a", strategy("fish")), reference("fish", "b")], zygotes("fish"), record=str(path))
    result = resume(path, "--at", "5")
    assert result.exit_code == 2
    assert "say with a=PLAYER who plays in its place" in result.output
    assert resume(path, "--at", "5", "a=random").exit_code == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--at", "999"], "no turn 999"),
        ([], "--at"),
        (["--at", "3", "greedy"], "That game has 3 seats, those of a, bad, c"),
        (["--at", "3", "nobody", "greedy", "greedy"], "no player 'nobody'"),
        (["--at", "3", "bad=missing.py"], "missing.py does not exist"),
        (["--at", "3", "--record", "missing/again.jsonl"], "is in a folder that does not exist"),
    ],
)
def test_a_mistake_gets_a_sentence(record: Path, words: list[str], why: str) -> None:
    result = resume(record, *words)
    assert result.exit_code == 2
    assert why in result.output
    assert "Traceback" not in result.output


def test_a_game_that_is_over_cannot_be_played_on(record: Path) -> None:
    result = resume(record, "--at", str(read(record).turns))
    assert result.exit_code == 2
    assert "is over: there is nothing left to play" in result.output
