"""JOURNAL:MATCH: whatever takes a record takes a match of a tournament too."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.tournament.journal import Journal, records_of
from referee.tournament.outcome import Outcome
from tests.referee.table import source

CHEAT = source("fish", "def movement(view): return [[0, 0], [0, 0]]\n")


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, [*map(str, words)])
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert "Traceback" not in result.output
    return result


def as_json(*words: str | Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run(*words, "--json").stdout)
    return told


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two games, in each of which one cheats."""
    folder = tmp_path_factory.mktemp("league")
    (folder / "cheat.py").write_text(CHEAT)
    journal = folder / "league.db"
    done = run("tournament", "fish", "greedy", folder / "cheat.py", "--games", "2", "--journal", journal)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played, tmp_path / "league") / "league.db"


def test_a_match_is_replayed_by_its_number(league: Path) -> None:
    matches = as_json("matches", league)["matches"]
    for match in matches:
        told = as_json("replay", f"{league}:{match['number']}")
        assert told["complete"]
        assert [kick["player"] for kick in told["kicked"]] == ["cheat"]
        assert told["players"] == match["seats"]
        assert told["reproduce"][0].startswith(f"referee reproduce {league}:{match['number']} ")
    assert len(matches) == 2
    assert "cheat is kicked in movement" in run("replay", f"{league}:1").stdout


def test_a_match_is_verified_resumed_and_reproduced(league: Path) -> None:
    match = f"{league}:0"
    assert f"{match} is true" in run("verify", match).stdout
    assert as_json("resume", match, "--at", "3", "cheat=random")["kicked"] == []
    told = as_json("reproduce", match, league.with_name("cheat.py"))
    assert told["reproduced"]
    assert told["record"] == match


def test_a_file_of_that_very_name_is_meant_first(league: Path) -> None:
    other = league.with_name("league.db:1")
    shutil.copy(records_of(league) / "000000.jsonl", other)
    assert as_json("replay", other)["id"] == as_json("replay", f"{league}:0")["id"]


@pytest.mark.parametrize("number", ["2", "000017", "9" * 18, "9" * 5000])
@pytest.mark.parametrize("command", ["replay", "verify", "resume", "reproduce"])
def test_a_match_that_was_not_played_is_a_users_mistake(command: str, number: str, league: Path) -> None:
    more = {"resume": ["--at", "0"], "reproduce": ["greedy"]}
    result = run(command, f"{league}:{number}", *more.get(command, []))
    assert result.exit_code == 2
    assert f"The journal {league} has no match {number}; `referee matches {league}` lists them." in result.output


def test_a_void_match_has_no_game(league: Path) -> None:
    with Journal.read(league) as journal:
        spec = journal.spec
    with Journal.open(league, spec) as journal:
        journal.add("void", Outcome(number=2, seats=("greedy", "cheat"), void="three lanes died of \x1b[2J."))
    result = run("replay", f"{league}:2")
    assert result.exit_code == 2
    assert f"Match 2 of {league} is void, so no game of it is kept: three lanes died of \\x1b[2J." in result.output


def test_what_is_no_journal_is_a_users_mistake(league: Path) -> None:
    assert f"There is no journal {league}x" in run("replay", f"{league}x:1").output
    cheat = league.with_name("cheat.py")
    result = run("replay", f"{cheat}:1")
    assert result.exit_code == 2
    assert f"{cheat} is no journal of a tournament" in result.output


def test_a_record_that_is_gone_is_named(league: Path) -> None:
    gone = records_of(league) / "000001.jsonl"
    gone.unlink()
    result = run("replay", f"{league}:1")
    assert result.exit_code == 2
    assert f"The record {gone} cannot be read: No such file or directory." in result.output


@pytest.mark.parametrize("words", [["replay"], ["resume", "--at", "3"], ["reproduce", "greedy"]])
def test_what_is_not_true_names_the_file_and_the_line(words: list[str], league: Path) -> None:
    record = records_of(league) / "000000.jsonl"
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join([*lines[:1], lines[1].replace('"turn":1', '"turn":3'), *lines[2:]]))
    command, *more = words
    result = run(command, f"{league}:0", *more)
    assert result.exit_code == 2
    assert f"{record}, line 2: this is turn 1, not 3." in result.output
