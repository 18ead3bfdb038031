"""A tournament under attack: by terminals, by whoever tidies up too much, and by disks that are full."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from referee.referee import RefereeError
from referee.tournament.journal import Journal, records_of
from referee.tournament.match import Seat
from referee.tournament.outcome import Outcome
from tests.tournament.arena import LAST, SETTINGS, SLOW, spec

SPEC = msgspec.structs.replace(spec(()), players=(Seat("ann", "1" * 64), Seat("bob", "2" * 64)))
PLAYED = Outcome(number=0, seats=("ann", "bob"), ranking=(("ann",), ("bob",)))
VOID = Outcome(number=1, seats=("ann", "bob"), void="no space left on device")


def test_a_journal_that_is_removed_meanwhile_is_missed(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.db", SPEC) as journal:
        assert journal.add("id-0", PLAYED)
        (tmp_path / "a.db").unlink()
        with pytest.raises(RefereeError, match="gone"):
            journal.add("id-1", msgspec.structs.replace(PLAYED, number=1))


def test_a_match_that_no_record_can_be_written_of_is_not_void_for_good(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Journal.open(path, SPEC) as journal:
        shutil.rmtree(records_of(path))
        with pytest.raises(RefereeError, match="records"):
            journal.add("id-1", VOID)
        assert not journal.ids(0, 2)
    with Journal.open(path, SPEC) as journal:
        assert journal.add("id-1", VOID)


def test_on_a_terminal_the_table_stays_when_all_else_is_wiped_off(tmp_path: Path) -> None:
    for name, text in {"slow": SLOW, "last": LAST}.items():
        (tmp_path / f"{name}.py").write_text(text)
    shown = on_a_terminal(tmp_path, "tournament", "fish", "slow.py", "last.py", *SETTINGS, "--games", "8")
    drawn, erased, rest = shown.rpartition("\x1b[2K")
    assert erased
    assert "a second, " in drawn
    assert " left" in drawn
    assert "95 %" in rest
    assert "8 matches played." in rest


def on_a_terminal(folder: Path, *words: str) -> str:
    """What a terminal of 80 columns is sent."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "referee", *words]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    sent = b""
    try:
        while chunk := os.read(ours, 1 << 16):
            sent += chunk
    except OSError:  # Linux: the last to write has gone
        pass
    finally:
        os.close(ours)
    assert process.wait(60) == 0
    return sent.decode()
