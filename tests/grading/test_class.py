"""A whole class graded end to end, interrupted twice: everybody has what is expected, to the point."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.family import descendants
from tests.grading.courses import run
from tests.grading.the_class import KINDS, course, hand_out

GRADE = [sys.executable, "-m", "referee", "grade"]


def interrupted(command: list[str], number: int, after: int) -> tuple[int, str]:
    """Runs it until it has told of so many submissions, and sends the signal; its exit code and what it said."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if line.startswith(f"{after} of "):
            process.send_signal(number)
            break
    said += process.stderr.read()
    return process.wait(60), said


def grades(*words: object) -> dict[str, Any]:
    done = subprocess.run([*GRADE, *map(str, words), "--json"], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return {grade["student"]: grade for grade in json.loads(done.stdout)["grades"]}


def graded_class(folder: Path, count: int, games: int) -> None:
    whose = hand_out(folder / "work", count)
    place = course(folder / "course", games)
    taken = run("submit", place, "--all", folder / "work")
    assert taken.exit_code == 1, taken.output  # some are not admitted
    before = set(descendants(os.getpid()))
    code, said = interrupted([*GRADE, str(place)], signal.SIGINT, 2)
    assert code == 130
    assert "--resume" in said
    code, _ = interrupted([*GRADE, str(place), "--resume"], signal.SIGKILL, 2)
    assert code == -signal.SIGKILL
    found = grades(place, "--resume")
    assert {student: [mark["earned"] for mark in grade["marks"]] for student, grade in found.items()} == {
        student: list(kind.points) for student, kind in whose.items()
    }
    again = grades(place)
    assert {student: grade["earned"] for student, grade in again.items()} == {
        student: kind.total for student, kind in whose.items()
    }
    left = [psutil.Process(pid).name() for pid in set(descendants(os.getpid())) - before if psutil.pid_exists(pid)]
    assert [name for name in left if "chrom" not in name] == []  # a browser of other tests comes and goes


@pytest.mark.timeout(600)
def test_a_class_with_every_kind_of_submission_has_the_grades_expected(tmp_path: Path) -> None:
    graded_class(tmp_path, len(KINDS), games=6)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_class_of_sixty_with_forty_games_each(tmp_path: Path) -> None:
    graded_class(tmp_path, 60, games=40)
