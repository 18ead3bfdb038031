"""`referee submit` and `referee submissions`: the same judgement as `referee check`, and kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from referee.grading.desk import Desk
from tests.grading.courses import CRASHES, HONEST, course, run, told
from tests.grading.zips import zipped
from tests.referee.table import source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    course(tmp_path / "autumn")
    (tmp_path / "bot.py").write_text(HONEST)
    (tmp_path / "bad.py").write_text(CRASHES)
    return tmp_path


AS_CHECKED = ["--set", "rows=4", "--set", "columns=4", "--set", "holes=0", "--time", "1", "--wall", "5"]


@pytest.mark.parametrize("file", ["bot.py", "bad.py"])
def test_it_is_judged_as_check_judges(file: str, folder: Path) -> None:
    code = 0 if file == "bot.py" else 1
    checked = told("check", "fish", file, *AS_CHECKED, code=code)
    found = told("submit", "autumn", file, "--as", "ann", code=code)
    assert (found["student"], found["file"], found["new"]) == ("ann", file, True)
    same = ("game", "file", "sha256", "admitted", "games", "limits", "output")
    assert {key: found["check"][key] for key in same} == {key: checked[key] for key in same}
    for mine, theirs in zip(found["check"]["problems"], checked["problems"], strict=True):
        assert {**mine, "command": ""} == {**theirs, "command": ""}


def test_a_person_reads_the_problems_and_a_command_that_shows_them(folder: Path) -> None:
    done = run("submit", "autumn", "bad.py", "--as", "ann")
    assert done.exit_code == 1
    for words in (
        "ann handed in bad.py on ",
        "Problem 1: kicked in movement",
        "exception: KeyError: 0 (bad.py, line 4)",
        "bad.py would not be admitted",
    ):
        assert words in done.output
    (line,) = [line for line in done.output.splitlines() if "to see it again:" in line]
    again = run(*line.split("referee ", 1)[1].split())
    assert "KeyError" in again.output
    assert again.exit_code == 0


def test_what_was_checked_before_is_not_played_again(folder: Path) -> None:
    first = told("submit", "autumn", "bot.py", "--as", "ann")
    (folder / "autumn" / "course.toml").write_text((folder / "autumn" / "course.toml").read_text() + "setup_time = 5\n")
    other = told("submit", "autumn", "bot.py", "--as", "ann")
    again = told("submit", "autumn", "bot.py", "--as", "bob")
    assert not other["new"]
    assert other["check"]["limits"]["setup_cpu_s"] == 5 != first["check"]["limits"]["setup_cpu_s"]
    assert again["check"] == other["check"], "to the nanosecond: nothing was measured anew"


@pytest.mark.parametrize("form", ["file", "folder", "zip"])
def test_one_file_is_one_submission_in_any_wrapping(form: str, folder: Path) -> None:
    (folder / "work").mkdir()
    (folder / "work" / "bot.py").write_text(HONEST)
    zipped(folder / "work.zip", {"top/bot.py": HONEST, "__MACOSX/top/._bot.py": ""})
    given = {"file": "bot.py", "folder": "work", "zip": "work.zip"}[form]
    told("submit", "autumn", "bot.py", "--as", "ann")
    assert not told("submit", "autumn", given, "--as", "ann")["new"]
    assert len(told("submissions", "autumn")["submissions"]) == 1


def test_submissions_are_listed_with_what_counts(folder: Path) -> None:
    path = folder / "autumn" / "course.toml"
    path.write_text(path.read_text() + '[deadline]\ndue = 2026-12-01T12:00:00Z\nlate = "accepted"\n')
    for file, time in (("bot.py", "2026-12-01T11:00:00Z"), ("bad.py", "2026-12-02T14:00:00+01:00")):
        run("submit", "autumn", file, "--as", "ann", "--at", time)
    run("submit", "autumn", "bot.py", "--as", "bob", "--at", "2026-11-30")
    rows = told("submissions", "autumn")["submissions"]
    assert [(row["student"], row["file"], row["late_s"], row["admitted"], row["counts"]) for row in rows] == [
        ("ann", "bot.py", 0.0, True, False),
        ("ann", "bad.py", 90000.0, False, True),
        ("bob", "bot.py", 0.0, True, True),
    ]
    assert [row["student"] for row in told("submissions", "autumn", "--student", "BOB")["submissions"]] == ["bob"]
    table = run("submissions", "autumn").output.splitlines()
    assert table[2].split() == [
        *"ann 2026-12-02 13:00:00 UTC 1 d 1 h".split(), rows[1]["sha256"][:12], "not", "admitted", "yes", "bad.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["missing.py", "--as", "ann"], "missing.py does not exist"),
        (["bot.py"], "Give a FILE and --as STUDENT"),
        (["--as", "ann"], "Give a FILE and --as STUDENT"),
        (["bot.py", "--as", "../ann"], "is no name for a student"),
        (["bot.py", "--as", "ann", "--at", "soon"], "'soon' is no time"),
        (["bot.py", "--as", "ann", "--all", "."], "leave out FILE and --as"),
        (["--all", "missing.zip"], "missing.zip does not exist"),
        (["--all", "bot.py"], "is no zip file"),
        (["bot.py", "--as", "ann", "--map", "m.csv"], "Give a FILE"),
    ],
)
def test_a_users_mistake_is_exit_2_and_nothing_is_kept(words: list[str], said: str, folder: Path) -> None:
    done = run("submit", "autumn", *words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert told("submissions", "autumn")["submissions"] == []


def test_somebody_who_is_not_in_the_roster_is_refused(folder: Path) -> None:
    (folder / "autumn" / "roster.csv").write_text("name,id\nAnn Smith,7\nBob Brown,8\n")
    done = run("submit", "autumn", "bot.py", "--as", "An Smith")
    assert (done.exit_code, "did you mean Ann Smith?" in done.output) == (2, True)
    assert told("submit", "autumn", "bot.py", "--as", "7")["student"] == "Ann Smith"
    assert told("submissions", "autumn")["missing"] == ["Bob Brown"]


def test_results_are_published_and_closed_again(folder: Path) -> None:
    assert "no check waits for it" in run("publish", "autumn").output
    assert Desk(folder / "autumn").store.published() is not None
    assert "Published already" in run("publish", "autumn").output
    assert "Closed" in run("publish", "autumn", "--undo").output
    assert Desk(folder / "autumn").store.published() is None


def test_what_was_handed_in_stays_when_submit_is_killed_in_the_check(folder: Path) -> None:
    sleeps = source("fish", "import time\ntime.sleep(60)\n")
    (folder / "sleeps.py").write_text(sleeps)
    words = [sys.executable, "-m", "referee", "submit", "autumn", "sleeps.py", "--as", "ann"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline().startswith("ann handed in sleeps.py")
        boxes = psutil.Process(killed.pid).children(recursive=True)
        os.kill(killed.pid, signal.SIGKILL)
    psutil.wait_procs(boxes, timeout=10)
    (row,) = told("submissions", "autumn")["submissions"]
    assert (row["file"], row["admitted"]) == ("sleeps.py", None)
    assert "not checked" in run("submissions", "autumn").output
