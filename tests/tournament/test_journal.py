"""A tournament's journal: real SQLite, one writer, nothing twice, and a sentence for every file that is none."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from referee.referee import RefereeError
from referee.tournament.journal import SCHEMA, Journal, JournalError, records_of
from referee.tournament.match import Seat
from referee.tournament.outcome import Kick, Outcome
from referee.tournament.spec import Spec
from tests.tournament.arena import spec

SPEC = msgspec.structs.replace(spec(()), players=(Seat("ann", "1" * 64), Seat("bob", "2" * 64)))


def outcome(number: int) -> Outcome:
    return Outcome(number=number, seats=("ann", "bob"), ranking=(("ann",), ("bob",)), cpu={"ann": 0.25})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Of a journal with three matches, a call and no end."""
    path = tmp_path / "spring.db"
    with Journal.open(path, SPEC) as journal:
        for number in (0, 1, 3):
            assert journal.add(f"id-{number}", outcome(number))
        journal.call("ann", "tournament_start", Kick("ann", "exception", "tournament_start", 0))
    return path


def test_what_was_added_is_there_when_it_is_opened_again(path: Path) -> None:
    with Journal.open(path, SPEC) as journal:
        assert [(identity, found.number) for identity, found in journal] == [("id-0", 0), ("id-1", 1), ("id-3", 3)]
        assert journal.ids(1, 3) == {1: "id-1"}
        assert journal.outcomes(0, 2)[1] == outcome(1)
        assert list(journal.outcomes(0, 2)) == [outcome(0), outcome(1)]
        assert journal.calls("tournament_start")["ann"] == Kick("ann", "exception", "tournament_start", 0)
        assert not journal.finished


def test_a_match_counts_once_and_the_first_time(path: Path) -> None:
    with Journal.open(path, SPEC) as journal:
        assert not journal.add("another", msgspec.structs.replace(outcome(1), ranking=(("bob",), ("ann",))))
        assert {found.number: found for _, found in journal}[1] == outcome(1)


def test_what_lies_behind_a_gap_is_not_looked_at_in_order(path: Path) -> None:
    with Journal.read(path) as journal:
        assert [found.number for found in journal.unbroken()] == [0, 1]


def test_a_second_writer_is_refused_and_a_reader_is_not(path: Path) -> None:
    with Journal.open(path, SPEC) as journal:
        with pytest.raises(JournalError, match="in use by another process"):
            Journal.open(path, SPEC)
        with Journal.read(path) as reader:
            journal.add("id-2", outcome(2))
            assert [found.number for _, found in reader] == [0, 1, 2, 3]
    Journal.open(path, SPEC).close()


def test_a_second_writer_is_refused_by_whatever_way_it_comes(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    with Journal.open(path, SPEC), pytest.raises(JournalError, match="in use"):
        Journal.open(link, SPEC)


def test_the_hold_of_a_process_that_is_killed_ends_with_it(path: Path) -> None:
    text = (
        "import os, pathlib, sys\n"
        "from referee.tournament.journal import Journal\n"
        "from tests.tournament.test_journal import SPEC, outcome\n"
        "journal = Journal.open(pathlib.Path(sys.argv[1]), SPEC)\n"
        "journal.add('id-2', outcome(2))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", text, str(path)], cwd=root, check=False).returncode == -9
    with Journal.open(path, SPEC) as journal:
        assert len(list(journal)) == 4


DIFFERENT: dict[str, Spec] = {
    "its seed is 7": msgspec.structs.replace(SPEC, seed=8),
    "seats, games or rounds": msgspec.structs.replace(SPEC, plan=msgspec.structs.replace(SPEC.plan, games=4)),
    "its format": msgspec.structs.replace(SPEC, format="swiss"),
    "settings of the game": msgspec.structs.replace(SPEC, rules=msgspec.structs.replace(SPEC.rules, config={})),
    "one of fish": msgspec.structs.replace(SPEC, rules=msgspec.structs.replace(SPEC.rules, game="q")),
    "players are not the same (bob, eve)": msgspec.structs.replace(SPEC, players=(SPEC.players[0], Seat("eve", ""))),
    "other files play in it": msgspec.structs.replace(SPEC, players=(SPEC.players[0], Seat("bob", "3" * 64))),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_a_journal_of_another_tournament_is_refused_and_says_what_differs(what: str, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(JournalError) as refused:
        Journal.open(path, DIFFERENT[what])
    assert "of another tournament" in str(refused.value)
    assert what in str(refused.value)
    assert path.read_bytes() == before
    Journal.open(path, SPEC).close()


def test_a_newer_schema_is_refused_for_reading_and_for_writing(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={SCHEMA + 1}")
        connection.execute("ALTER TABLE spec RENAME TO specification")
    connection.close()
    newer = f"newer referee .schema {SCHEMA + 1}; this one knows {SCHEMA}."
    with pytest.raises(JournalError, match=newer):
        Journal.read(path)
    with pytest.raises(JournalError, match=newer):
        Journal.open(path, SPEC)


def test_a_file_that_is_no_journal_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    text, database, folder = tmp_path / "notes.txt", tmp_path / "other.db", tmp_path / "folder"
    text.write_text("not a database at all, and longer than the header of one: " + "x" * 100)
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE mine (value)")
    connection.close()
    folder.mkdir()
    before = {file: file.read_bytes() for file in (text, database)}
    for file, what in ((text, "no journal"), (database, "a database, but no journal"), (folder, "is a folder")):
        with pytest.raises(JournalError, match=what):
            Journal.open(file, SPEC)
    for file in (text, database):
        with pytest.raises(JournalError, match="no journal"):
            Journal.read(file)
    assert {file: file.read_bytes() for file in (text, database)} == before
    assert sorted(tmp_path.iterdir()) == sorted([text, database, folder])


def test_what_cannot_be_written_or_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "nowhere" / "a.db", tmp_path / "file" / "a.db", Path("/proc/a.db")):
        with pytest.raises(JournalError, match="cannot be written"):
            Journal.open(path, SPEC)
    with pytest.raises(JournalError, match="There is no journal"):
        Journal.read(tmp_path / "nowhere.db")
    (tmp_path / "empty.db").write_text("")
    with pytest.raises(JournalError, match="no tournament was begun"):
        Journal.read(tmp_path / "empty.db")


def test_a_journal_that_was_begun_and_not_written_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    with Journal.open(path, SPEC) as journal:
        assert journal.spec == SPEC
        assert not list(journal)


def test_a_damaged_journal_is_a_sentence(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE matches SET outcome = '{\"number\": \"one\"}' WHERE number = 1")
    connection.close()
    with Journal.read(path) as journal, pytest.raises(JournalError, match="is damaged"):
        list(journal)


def test_a_disk_that_is_full_is_a_fault_of_the_machine(path: Path) -> None:
    with Journal.open(path, SPEC) as journal:
        (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
        journal._connection.execute(f"PRAGMA max_page_count={pages}")
        large = msgspec.structs.replace(outcome(9), void="x" * 1_000_000)
        with pytest.raises(RefereeError, match="cannot be written any more: database or disk is full"):
            journal.add("id-9", large)


@pytest.fixture
def not_ours(path: Path) -> Iterator[Path]:
    """The journal in a folder that this process may read and not write."""
    folder = Path(tempfile.mkdtemp())
    moved = Path(shutil.copy(path, folder / "spring.db"))
    folder.chmod(0o555)
    moved.chmod(0o444)
    ours = os.geteuid()
    if ours == 0:
        os.seteuid(65534)  # root may write anywhere
    yield moved
    os.seteuid(ours)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_journal_that_may_only_be_read_is_read(not_ours: Path) -> None:
    with Journal.read(not_ours) as journal:
        assert [found.number for _, found in journal] == [0, 1, 3]
    with pytest.raises(JournalError, match="cannot be written"):
        Journal.open(not_ours, SPEC)


def test_reading_leaves_nothing_beside_the_journal(path: Path) -> None:
    before = sorted(path.parent.iterdir())
    with Journal.read(path) as journal:
        list(journal)
    assert sorted(path.parent.iterdir()) == before == sorted([path, records_of(path)])
