"""`referee verify`: whether a record is true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, edited, play, references


def verify(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, ["verify", *map(str, words)])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


@pytest.fixture
def record(zygotes: Zygotes, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    play("fish", references("fish"), zygotes("fish"), record=str(path))
    return path


@pytest.mark.parametrize("game", KINDS)
def test_a_record_as_it_was_written_is_true(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    result = play(game, references(game), zygotes(game), record=str(path))
    said = verify(path)
    assert said.exit_code == 0
    assert f"is true: {result.state.turn} turns of {game}, and the result" in said.stdout
    told = json.loads(verify(path, "--json").stdout)
    assert told["true"] is told["complete"] is True
    assert told["problem"] is None
    assert told["turns"] == result.state.turn


def test_a_record_that_was_changed_is_not_true(record: Path) -> None:
    false = edited(record, r'"action":\[\d,\d\]', '"action":[4,4]', 3)
    said = verify(false)
    assert said.exit_code == 1
    assert "is not true: line " in said.stdout
    told = json.loads(verify(false, "--json").stdout)
    assert told["true"] is False
    assert told["problem"].startswith("line ")


def test_a_torn_record_is_true_as_far_as_it_goes(record: Path) -> None:
    record.write_bytes(record.read_bytes()[:-20])
    said = verify(record)
    assert said.exit_code == 0
    assert "the game did not come to its end" in said.stdout
    told = json.loads(verify(record, "--json").stdout)
    assert (told["true"], told["complete"]) == (True, False)


@pytest.mark.parametrize("content", [None, b"", b"hello\n", b"\xff\xfe\n"])
def test_what_is_no_record_is_a_users_mistake(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other.jsonl"
    if content is not None:
        path.write_bytes(content)
    said = verify(path)
    assert said.exit_code == 2
    assert str(path) in said.output


def test_a_beginning_that_no_game_has_is_not_true_and_no_mistake_of_the_users(record: Path) -> None:
    record.write_text(record.read_text().splitlines(keepends=True)[0])
    false = edited(record, '"game":"fish"', '"game":"chess"', 1)
    told = json.loads(verify(false, "--json").stdout)
    assert (told["true"], told["turns"]) == (False, 0)
    assert verify(false).exit_code == 1
