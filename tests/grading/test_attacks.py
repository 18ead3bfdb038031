"""A course desk under attack: by students who want to see or to be more, by haste, and by a machine that fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from referee.grading.course import read
from referee.grading.ledger import Ledger
from tests.grading.courses import COURSE, CRASHES, HONEST, course, run, told

ADMITTED = '[[rubric.check]]\nkind = "admitted"\npoints = 10'
PLACING = '[[rubric.check]]\nkind = "placing"\ngames = 2\npoints = 5\nbands = [{ top = 1, points = 5 }]'
BEATS = """\
[[rubric.check]]
kind = "beats"
opponent = "rival.py"
games = 2
points = 5
bands = [{ rate = 0, points = 5 }]"""
SECRET = f'{BEATS}\nname = "a secret"\nvisibility = "hidden"'
LATER = f'{BEATS}\nname = "for later"\nvisibility = "after-due"'

# Its first answer takes a little longer than the half second that it has.
SLIGHTLY_LATE = """
import time
until = 0
def placement(view):
    global until
    until = until or time.process_time() + 0.52
    while time.process_time() < until:
        pass
    return view.free_tiles()[0]
def movement(view):
    return view.legal_moves()[0]
"""


def rubric(total: int, *checks: str) -> str:
    return "\n".join([f"[rubric]\ntotal = {total}", *checks])


def handed_in(place: Path, **sources: str) -> None:
    for student, source in sources.items():
        file = place.parent / f"{student}.py"
        file.write_text(source)
        run("submit", place, file, "--as", student)


def by_student(*words: object, code: int = 0) -> dict[str, Any]:
    return {grade["student"]: grade for grade in told("grade", *words, code=code)["grades"]}


def test_a_name_in_other_letters_is_the_same_student(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(10, ADMITTED))
    handed_in(place, bob=CRASHES, BOB=HONEST)
    assert {student: grade["earned"] for student, grade in by_student(place).items()} == {"bob": 10}
    assert list(by_student(place, "--student", "Bob")) == ["bob"]


def test_a_student_who_handed_in_nothing_cannot_be_graded_alone(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(10, ADMITTED))
    handed_in(place, ann=HONEST)
    done = run("grade", place, "--student", "zoe")
    assert (done.exit_code, "zoe" in done.output) == (2, True)


def test_two_do_not_grade_one_course_at_once(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(10, ADMITTED))
    handed_in(place, ann=HONEST)
    with Ledger(place / "store", read(place)).run(resume=False):
        done = run("grade", place)
    assert (done.exit_code, "another process" in done.output) == (2, True)
    assert run("grade", place).exit_code == 0


def test_who_is_graded_again_has_a_place_in_the_whole_class(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(15, ADMITTED, PLACING))
    handed_in(place, ann=HONEST, bob=HONEST + "# b\n", cat=CRASHES)
    before = by_student(place)
    last = place / "store" / "grades.json"
    standings = json.loads(last.read_text())
    standings["ann"]["fault"] = True
    last.write_text(json.dumps(standings))
    again = by_student(place, "--only-failed")
    assert again == {"ann": before["ann"]}
    assert "of 2" in again["ann"]["marks"][1]["sentence"]


def test_a_check_that_our_machine_fails_is_worth_what_it_was(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(15, ADMITTED, BEATS), base=COURSE.replace("= 4", "= 7"))
    (place / "rival.py").write_text(HONEST)
    handed_in(place, ann=HONEST)
    assert by_student(place)["ann"]["earned"] == 15
    # No room for the record of a game, and enough for what is written of a grade.
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({8 << 10}, {8 << 10}))"
    words = ["grade", str(place), "--format", "json"]
    script = f"{limited}\nfrom referee.cli import main\nmain({words!r})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 3, done.stderr
    result = json.loads((place / "grades" / "ann" / "json" / "result.json").read_text())
    assert (result["earned"], result["fault"]) == (15, True)
    assert [(check["earned"], bool(check["fault"])) for check in result["checks"]] == [(10, True), (5, True)]
    assert list(by_student(place, "--only-failed")) == ["ann"]


def test_a_timeout_at_submission_within_the_noise_does_not_count(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(10, ADMITTED), base=COURSE.replace("time = 1", "time = 0.5"))
    handed_in(place, ann=SLIGHTLY_LATE)
    (entry,) = told("submissions", place)["submissions"]
    assert (entry["admitted"], "cpu-timeout" in entry["problems"][0]) == (False, True)
    assert by_student(place)["ann"]["earned"] == 10
    assert told("submissions", place)["submissions"][0]["admitted"]


def test_one_file_graded_alone_learns_nothing_that_is_hidden(tmp_path: Path) -> None:
    due = "[deadline]\ndue = 2999-01-01T00:00:00Z"
    place = course(tmp_path / "c", due, rubric(20, ADMITTED, SECRET, LATER))
    (place / "rival.py").write_text(HONEST)
    file, out = tmp_path / "bot.py", tmp_path / "out"
    file.write_text(HONEST)
    done = run("grade", place / "course.toml", file, "--out", out)
    assert done.exit_code == 0
    assert "10 of 10  2 more not shown" in done.output
    written = [path for path in out.rglob("*") if path.is_file()]
    assert written
    for path in written:
        text = path.read_text()
        assert "a secret" not in text, path
        # That platform waits for the due date by itself.
        assert "for later" not in text or "gradescope" in path.parts, path


def test_results_that_could_not_be_written_are_not_waited_for(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(10, ADMITTED))
    handed_in(place, ann=HONEST)
    done = run("grade", place, "--out", tmp_path / "ann.py" / "out")
    assert done.exit_code == 2
    assert "examined" not in done.output
    assert "--out" in done.output


def test_a_course_named_by_its_file_has_its_grades_beside_it(tmp_path: Path) -> None:
    place = course(tmp_path / "c", rubric(10, ADMITTED))
    handed_in(place, ann=HONEST)
    assert run("grade", place / "course.toml").exit_code == 0
    assert (place / "grades" / "ann").is_dir()


def test_without_checks_there_is_nothing_to_grade_by(tmp_path: Path) -> None:
    place = course(tmp_path / "c")
    handed_in(place, ann=HONEST)
    done = run("grade", place)
    assert (done.exit_code, "rubric.check" in done.output) == (2, True)
