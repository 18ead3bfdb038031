"""Each output format by the rules of those who read it."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest
from markdown_it import MarkdownIt

from referee.grading.outputs import classroom50, render, write
from referee.grading.report import Feedback, Grade
from referee.grading.roster import Roster
from tests.grading.grades import FAILURE, HOSTILE, grade, hidden, mark
from tests.grading.schemas import CLASSROOM50, GRADESCOPE, PRAIRIELEARN
from tests.grading.test_outputs import hostile, told

GRADES = {
    "plain": grade(),
    "withheld": grade(mark(), hidden()),
    "all hidden": grade(hidden()),
    "late": grade(share=0.5, late="Handed in 2 h late."),
    "fault": grade(mark(fault="gone"), mark("b")),
    "kept": grade(mark(fault="gone"), kept=99.0),
    "no file": grade(loads=False, file="", sha256="", submitted=None),
    "no checks": Grade(student="a", key="a", course="", game="", file="", sha256="", total=0, marks=()),
    "hostile": hostile(HOSTILE),
    "long": hostile("\U0001f4a3" * 100_000),
}
every = pytest.mark.parametrize("of", GRADES.values(), ids=GRADES.keys())


def valid(instance: Any, schema: dict[str, Any]) -> Any:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(instance, schema, jsonschema.Draft202012Validator)
    return instance


@every
def test_gradescope_takes_results(of: Grade) -> None:
    result = valid(told("gradescope", of), GRADESCOPE)
    assert result["score"] <= of.total
    assert all(test.get("score", 0) <= test.get("max_score", 0) for test in result["tests"])
    valid(json.loads(render("gradescope", of, staff=True)["results.json"]), GRADESCOPE)


def test_gradescope_gives_the_record_with_the_text_since_students_get_no_files() -> None:
    output = told("gradescope", grade(mark(feedback=(FAILURE,))))["tests"][0]["output"]
    assert "To see it again:\n  referee reproduce questions.jsonl bot.py" in output
    assert output.endswith('questions.jsonl, to be saved under this name:\n{"kind":"questions"}\n')


def test_gradescope_ranks_by_what_is_visible() -> None:
    figures = {"ms": 2.5, "rate": 0.5, "games": 40.0}
    assert told("gradescope", grade(mark("speed", figures=figures), hidden()))["leaderboard"] == [
        {"name": "points", "value": 4.0},
        {"name": "speed: ms a move", "value": 2.5, "order": "asc"},
        {"name": "speed: win rate", "value": 0.5, "order": "desc"},
    ]


@every
def test_prairielearn_takes_results(of: Grade) -> None:
    content = render("prairielearn", of)["results.json"]
    valid(json.loads(content), PRAIRIELEARN)
    assert len(content) <= 1_000_000


def test_prairielearn_gives_a_share_of_what_is_shown() -> None:
    result = told("prairielearn", grade(mark(earned=4, points=10, feedback=(FAILURE,)), hidden()))
    assert (result["gradable"], result["score"]) == (True, 0.4)
    assert result["tests"][0]["images"][0]["url"].startswith("data:image/svg+xml;base64,")


def test_prairielearn_takes_no_attempt_for_a_file_that_cannot_load_or_a_fault_of_ours() -> None:
    broken = Feedback(sentence="the file cannot be loaded (bot.py, line 1): SyntaxError", verdict="load-error")
    result = told("prairielearn", grade(mark(earned=0, sentence="It does not load.", feedback=(broken,)), loads=False))
    assert (result["gradable"], result["score"]) == (False, 0)
    assert "line 1" in result["format_errors"][0]
    assert told("prairielearn", grade(mark(fault="the lane is gone")))["gradable"] is False


@every
def test_classroom50_takes_results(of: Grade) -> None:
    result = valid(told("classroom50", of), CLASSROOM50)
    assert result["score"] <= result["max-score"]
    assert all(test["score"] <= test["max-score"] for test in result["tests"])
    assert result["max-score"] == sum(test["max-score"] for test in result["tests"])


@pytest.mark.parametrize(
    ("checks", "share", "scores", "most"),
    [
        ([(4, 10), (5, 5)], 1.0, [4, 5], 15),
        ([(2.5, 5), (2.5, 5), (2.5, 5)], 1.0, [3, 2, 3], 15),  # 7.5 in all
        ([(1.1, 1.1), (0.3, 2.5)], 1.0, [11, 3], 36),
        ([(0.25, 0.25), (0, 1)], 1.0, [25, 0], 125),
        ([(4, 10), (5, 5)], 0.5, [2, 3], 15),
    ],
)
def test_classroom50_has_whole_points_that_add_up(
    checks: list[tuple[float, float]], share: float, scores: list[int], most: int
) -> None:
    marks = [mark(f"check {number}", earned, points) for number, (earned, points) in enumerate(checks)]
    result = told("classroom50", grade(*marks, share=share))
    assert [test["score"] for test in result["tests"]] == scores
    assert (result["score"], result["max-score"]) == (sum(scores), most)


def test_classroom50_is_told_by_its_runner_who_was_graded() -> None:
    runner = {
        "CLASSROOM": "cs",
        "ASSIGNMENT": "fish-bot",
        "ASSIGNMENT_TYPE": "group",
        "OWNER": "ann-s",
        "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
        "COMMIT_URL": "https://example.org/commit/1",
        "RELEASE_URL": "https://example.org/release/1",
    }
    result = valid(json.loads(classroom50.files(grade(), runner)["result.json"]), CLASSROOM50)
    assert [result[key] for key in ("classroom", "assignment", "assignment_type", "owner", "submission")] == [
        *list(runner.values())[:5]
    ]
    assert result["review"] == result["commit"] == runner["COMMIT_URL"]
    elsewhere = json.loads(classroom50.files(grade(), {"OWNER": "who knows"})["result.json"])
    assert (elsewhere["owner"], elsewhere["datetime"]) == ("ann", "2026-03-01T12:00:00Z")


@every
def test_junit_is_read_by_its_parser(of: Grade) -> None:
    found = junitparser.JUnitXml.fromstring(render("junit", of)["junit.xml"])
    (suite,) = found
    kinds = [type(case.result[0]) if case.result else None for case in suite]
    counts = (len(of.visible), kinds.count(junitparser.Failure), kinds.count(junitparser.Error))
    assert (found.tests, found.failures, found.errors) == (suite.tests, suite.failures, suite.errors) == counts


def test_junit_tells_failures_from_faults() -> None:
    of = grade(mark("good", 10), mark("bad", feedback=(FAILURE,)), mark("ours", fault="the lane is gone"))
    (suite,) = junitparser.JUnitXml.fromstring(render("junit", of)["junit.xml"])
    good, bad, ours = suite
    assert good.is_passed
    assert (type(bad.result[0]), bad.result[0].type) == (junitparser.Failure, "exception")
    assert "KeyError: 0" in bad.result[0].text
    assert (type(ours.result[0]), ours.result[0].message) == (junitparser.Error, "the lane is gone")


def commands(log: str) -> list[str]:
    """What the runner of GitHub Actions would obey."""
    found, token = [], None
    for row in log.splitlines():
        begins = row.strip().startswith("::")
        if token is not None:
            token = None if row.strip() == f"::{token}::" else token
        elif begins and row.startswith("::stop-commands::"):
            token = row.removeprefix("::stop-commands::")
        elif begins or "##[" in row:
            found.append(row)
    assert token is None
    return found


@every
def test_github_obeys_nothing_but_our_annotations(of: Grade) -> None:
    log = render("github", of)["annotations.txt"].decode()
    obeyed = commands(log)
    assert all(re.fullmatch(r"::(notice|warning|error) [^:]*::.*", row) for row in obeyed)
    assert all(re.search("::", row.partition(" ")[2].partition("::")[2]) is None for row in obeyed)
    assert len(obeyed) <= 21


def test_github_annotates_the_line_that_failed() -> None:
    odd = Feedback(sentence="50% of a,b", file="a,b:c.py", line=3)
    log = render("github", grade(mark("beats: all", feedback=(odd,)), mark("b")))["annotations.txt"].decode()
    assert commands(log) == [
        "::notice title=Grade::8 of 20 points.",
        "::error file=a%2Cb%3Ac.py,line=3,title=beats%3A all::50%25 of a,b",
        "::warning title=b::It is b.",
    ]


def test_github_tells_nobody_how_to_go_on_with_commands() -> None:
    logs = [render("github", grade())["annotations.txt"].decode() for _ in range(2)]
    first, second = (re.findall(r"::stop-commands::(.{32,})", log) for log in logs)
    assert first != second


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        self.said.append(data)


@every
@pytest.mark.parametrize(("name", "file", "most"), [
    ("github", "summary.md", 1 << 20),
    ("classroom50", "release-body.md", 125_000),
])  # fmt: skip
def test_a_summary_is_markdown_of_our_own_only(of: Grade, name: str, file: str, most: int) -> None:
    content = render(name, of)[file]
    assert len(content) <= most
    page = _Tags()
    page.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(content.decode()))
    ours = "h2 p table thead tbody tr th td details summary pre"
    assert set(page.found) <= set(ours.split())
    assert page.found.count("tr") == len(of.visible) + 1
    assert page.found.count("pre") <= len(of.visible)


def test_a_summary_says_what_strangers_wrote_as_they_wrote_it() -> None:
    page = _Tags()
    of = grade(mark("*a* | <b> `c`", sentence="# 1. [x](y) & &lt; _z_"), mark("b", feedback=(FAILURE,)))
    page.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(
        render("github", of)["summary.md"].decode()
    ))  # fmt: skip
    assert {"*a* | <b> `c`", "# 1. [x](y) & &lt; _z_"} <= set(page.said)
    assert FAILURE.frames in "".join(page.said)


def test_a_canvas_gradebook_can_be_imported_back(tmp_path: Path) -> None:
    ann = grade(mark(), hidden(), student="Smith, Ann Ærø")
    bob = grade(mark(fault="gone"), hidden(), student='=Bob "B"', key="b", id="18", sis_id="S18", login="bob")
    cat = grade(mark(fault="gone"), hidden(), student="Cat", key="c", id="19", sis_id="S19", login="cat", kept=9.5)
    write([ann, bob, cat], tmp_path, ["canvas"])
    content = (tmp_path / "canvas/grades.csv").read_text("utf-8")
    assert list(csv.reader(io.StringIO(content, newline=""))) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Autumn"],
        ["Points Possible", "", "", "", "", "17"],
        ["Smith, Ann Ærø", "17", "S17", "ann", "A", "7"],
        ["'=Bob \"B\"", "18", "S18", "bob", "A", ""],
        ["Cat", "19", "S19", "cat", "A", "9.5"],
    ]
    (tmp_path / "roster.csv").write_text(content)
    roster = Roster.of(tmp_path)
    assert [student.id for student in roster.students] == ["17", "18", "19"]
    assert roster.find("S18").login == "bob"


def test_plain_json_has_what_a_student_needs_to_act() -> None:
    result = told("json", grade(mark("beats random", 2.5, 5, feedback=(FAILURE,), figures={"rate": 0.6}), hidden()))
    assert (result["earned"], result["total"], result["withheld"]) == (2.5, 5, 1)
    (check,) = result["checks"]
    assert (check["passed"], check["figures"]) == (False, {"rate": 0.6})
    (note,) = check["notes"]
    assert note == {
        "sentence": FAILURE.sentence,
        "verdict": "exception",
        "file": "bot.py",
        "line": 7,
        "frames": FAILURE.frames,
        "position": FAILURE.position,
        "output": FAILURE.output,
        "times": 2,
        "record": "questions.jsonl",
        "picture": "position.svg",
        "command": FAILURE.command,
    }


def test_the_grades_of_the_class_have_a_row_a_student_and_a_column_a_check(tmp_path: Path) -> None:
    late = grade(mark(), hidden(), student="Bob", key="b", share=0.5, late="Handed in 1 h late.")
    write([grade(mark(), hidden()), late], tmp_path, ["csv", "json"])
    rows = list(csv.DictReader((tmp_path / "csv/grades.csv").read_text().splitlines()))
    assert [(row["student"], row["earned"], row["total"], row["admitted"], row["secret"]) for row in rows] == [
        ("Smith, Ann", "7", "17", "4", "3"),
        ("Bob", "3.5", "17", "4", "3"),
    ]
    grades = json.loads((tmp_path / "json/grades.json").read_bytes())["grades"]
    assert [(row["key"], row["earned"], row["late"]) for row in grades] == [
        ("Smith, Ann", 7, ""),
        ("b", 3.5, "Handed in 1 h late."),
    ]
