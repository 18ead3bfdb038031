"""Grades written out: where, what students may see of them, and that strangers' text stays text."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import msgspec
import pytest

from referee.cells import cell
from referee.grading import outputs
from referee.grading.outputs import FORMATS, OutputError, chosen, render, write
from referee.grading.report import Feedback, Grade
from referee.grading.rubric import Visibility
from tests.grading.grades import FAILURE, HOSTILE, grade, hidden, mark
from tests.viewer.test_page import Elements, unpacked

STUDENT = [name for name in FORMATS if name != "canvas"]


def shown(name: str, of: Grade) -> dict[str, bytes]:
    """What is the same whenever it is made: the token that nobody can know is another each time."""
    return {file: re.sub(rb"[0-9a-f]{64}", b"TOKEN", content) for file, content in render(name, of).items()}


def readable(name: str, of: Grade) -> bytes:
    """All of its files, and what a page has packed."""
    return b"\n".join(
        unpacked(Elements(content.decode()), "data") if file.endswith(".html") else content
        for file, content in render(name, of).items()
    )


def told(name: str, of: Grade) -> Any:
    return json.loads(next(content for file, content in render(name, of).items() if file.endswith(".json")))


def test_every_format_is_written_to_its_place(tmp_path: Path) -> None:
    write([grade()], tmp_path, [])
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    beside = {"questions.jsonl", "position.svg"}
    ann = {
        "gradescope": {"results.json"},
        "junit": {"junit.xml", *beside},
        "classroom50": {"result.json", "release-body.md", *beside},
        "prairielearn": {"results.json", *beside},
        "github": {"annotations.txt", "summary.md", *beside},
        "html": {"report.html"},
        "json": {"result.json", *beside},
        "csv": {"result.csv"},
    }
    assert found == {
        *(f"Smith, Ann/{name}/{file}" for name, files in ann.items() for file in files),
        "canvas/grades.csv",
        "csv/grades.csv",
        "json/grades.json",
    }


def test_only_the_chosen_formats_are_written(tmp_path: Path) -> None:
    write([grade()], tmp_path, ["junit", "canvas"])
    assert {path.name for path in tmp_path.iterdir()} == {"Smith, Ann", "canvas"}
    assert [path.name for path in (tmp_path / "Smith, Ann").iterdir()] == ["junit"]


def test_formats_are_chosen_by_name() -> None:
    assert chosen(()) == list(FORMATS)
    assert chosen(("csv", "junit", "csv")) == ["csv", "junit"]
    with pytest.raises(OutputError, match=r"'pdf\\x1b' is no format of results; take one of gradescope, .*csv, canvas"):
        chosen(("csv", "pdf\x1b"))
    with pytest.raises(OutputError, match="'canvas' is not made for one student"):
        render("canvas", grade())


@pytest.mark.parametrize("key", ["", ".", "..", "a/b", "a\\b", "/etc", "a\0b", "a\nb", "\ud800", "x" * 300])
def test_a_key_that_leads_elsewhere_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(OutputError, match="cannot name a folder"):
        write([grade(key=key)], tmp_path / "out", ["json"])
    assert not (tmp_path / "out").exists()


def test_a_student_who_is_called_like_a_folder_of_the_class_has_another(tmp_path: Path) -> None:
    write([grade(key="Staff"), grade(key="json"), grade(key="Index.html")], tmp_path, ["json"], staff=True)
    students = {"Staff (student)", "json (student)", "Index.html (student)"}
    assert {path.name for path in tmp_path.iterdir()} == {*students, "staff", "json"}
    assert {path.name for path in (tmp_path / "staff").iterdir()} == {*students, "index.html"}
    assert [path.name for path in (tmp_path / "json").iterdir()] == ["grades.json"]


def test_a_file_is_replaced_whole_and_what_it_no_longer_names_is_gone(tmp_path: Path) -> None:
    place = tmp_path / "Smith, Ann" / "json"
    write([grade(mark(feedback=(FAILURE, FAILURE)))], tmp_path, ["json"])
    (place / "mine.txt").write_text("kept")
    before = os.stat(place / "result.json").st_ino
    with open(place / "result.json", "rb") as held:  # a reader in the middle of it
        write([grade(mark())], tmp_path, ["json"])
        assert len(json.load(held)["checks"][0]["notes"]) == 2
    assert os.stat(place / "result.json").st_ino != before
    assert {path.name for path in place.iterdir()} == {"result.json", "mine.txt"}


def test_several_records_are_numbered_and_each_command_names_its_own() -> None:
    second = msgspec.structs.replace(FAILURE, record="second\n", svg="")
    files = render("json", grade(mark(feedback=(FAILURE, Feedback(sentence="late"), second))))
    notes = json.loads(files["result.json"])["checks"][0]["notes"]
    assert [note["record"] for note in notes] == ["questions-1.jsonl", "", "questions-2.jsonl"]
    assert notes[2]["command"] == "referee reproduce questions-2.jsonl bot.py"
    assert notes[1]["command"] == ""
    assert files["questions-2.jsonl"] == b"second\n"
    assert [note["picture"] for note in notes] == ["position.svg", "", ""]


@pytest.mark.parametrize("name", [name for name in STUDENT if name != "gradescope"])
def test_what_is_withheld_changes_nothing_but_its_number(name: str) -> None:
    seen = mark(feedback=(FAILURE,))
    one = grade(seen, hidden("a", 0, 1), mark("b", visibility=Visibility.AFTER_PUBLISHED))
    other = grade(hidden("longer", 90, 95, feedback=(FAILURE, FAILURE)), hidden("c", figures={"ms": 3.0}), seen)
    assert shown(name, one) == shown(name, other)
    assert shown(name, one) != shown(name, grade(seen, hidden()))


@pytest.mark.parametrize("name", [name for name in STUDENT if name != "gradescope"])
def test_the_number_of_withheld_checks_is_shown(name: str) -> None:
    text = readable(name, grade(mark(), hidden("a"), hidden("b")))
    assert re.search(rb'2 more checks are not shown|"withheld":\s*2|name="withheld" value="2"', text)


def test_gradescope_shows_students_nothing_of_hidden_checks_until_grades_are_published() -> None:
    one = told("gradescope", grade(mark(), hidden("secret A", 3)))
    other = told("gradescope", grade(hidden("secret B", 6, sentence="other", feedback=(FAILURE,)), mark()))

    def for_students(result: Any) -> Any:
        return [result["output"], result["leaderboard"], [t for t in result["tests"] if t["visibility"] == "visible"]]

    assert for_students(one) == for_students(other)
    assert "never shown: 1" in one["output"]
    assert "secret" not in json.dumps([one, other])
    # The platform shows no total while a test waits for being published.
    assert [test["visibility"] for test in one["tests"]] == ["visible", "hidden", "after_published"]


def test_gradescope_has_the_whole_score_and_each_check_with_its_time() -> None:
    kinds = list(Visibility)
    of = grade(*(mark(kind, 1, 2, visibility=kind, figures={"ms": 1.0}) for kind in kinds))
    result = json.loads(render("gradescope", of, staff=True)["results.json"])
    assert result["score"] == len(kinds)
    assert {test["name"]: test["visibility"] for test in result["tests"]} == {
        "visible": "visible",
        "after-due": "after_due_date",
        "after-published": "after_published",
        "hidden": "hidden",
        "Total": "after_published",
    }
    assert [row["name"] for row in result["leaderboard"]] == ["points", "visible: ms a move"]


def test_staff_see_everything_in_a_folder_of_their_own(tmp_path: Path) -> None:
    write([grade(mark(), hidden(feedback=(FAILURE,)))], tmp_path, ["json"], staff=True)
    result = json.loads((tmp_path / "staff/Smith, Ann/json/result.json").read_bytes())
    assert [check["title"] for check in result["checks"]] == ["admitted", "secret"]
    assert (result["earned"], result["total"], result["withheld"]) == (7, 17, 0)
    assert (tmp_path / "staff/Smith, Ann/json/questions.jsonl").exists()
    assert not (tmp_path / "Smith, Ann/json/questions.jsonl").exists()
    assert {path.name for path in (tmp_path / "staff/Smith, Ann").iterdir()} == {
        "html", "json", "junit", "gradescope"
    }  # fmt: skip
    page = Elements((tmp_path / "staff/Smith, Ann/html/report.html").read_text())
    assert [check["title"] for check in json.loads(unpacked(page, "data"))["checks"]] == ["admitted", "secret"]


def test_the_table_of_the_class_is_for_staff_and_only_of_everybody(tmp_path: Path) -> None:
    write([grade()], tmp_path, [], staff=False)
    write([grade()], tmp_path, [], staff=True, everybody=False)
    assert not list(tmp_path.rglob("index.html"))
    write([grade(), grade(key="b%..")], tmp_path, ["csv"], staff=True)
    page = Elements((tmp_path / "staff/index.html").read_text())
    links = [row["link"] for row in json.loads(unpacked(page, "data"))["rows"]]
    assert links == ["./Smith%2C%20Ann/html/report.html", "./b%25../html/report.html"]
    assert all((tmp_path / "staff" / unquote(link)).is_file() for link in links)


@pytest.mark.parametrize("name", STUDENT)
def test_a_fault_of_ours_is_told_and_keeps_the_last_good_score(name: str) -> None:
    of = grade(mark(), mark("beats", 0, fault="the lane is gone"), kept=13)
    text = readable(name, of).decode()
    assert re.search("no fault of the submission", text)
    score = {
        "gradescope": '"score":13',
        "classroom50": '"score":13,"max-score":20',
        "prairielearn": '"gradable":true,"score":0.65',
        "csv": '"total","","20","13"',
        "junit": 'name="points" value="13"',
        "json": '"earned": 13',
        "github": "13 of 20 points",
        "html": '"earned":13,"total":20',
    }
    assert score[name] in text


@pytest.mark.parametrize("name", [name for name in STUDENT if name != "gradescope"])
def test_a_kept_score_does_not_tell_of_hidden_checks(name: str) -> None:
    seen = mark()
    one = grade(seen, hidden(fault="secret A"), kept=13)
    assert shown(name, one) == shown(name, msgspec.structs.replace(one, kept=5))
    assert b"secret" not in readable(name, one)


def hostile(text: str) -> Grade:
    """A grade with this wherever strangers or their names get in."""
    names = ("sentence", "verdict", "file", "frames", "position", "output", "command")
    words: dict[str, Any] = dict.fromkeys(names, text)
    notes = tuple(Feedback(line=7, record="{}\n", svg="<svg/>", **words) for _ in range(12))
    marks = [mark(text, kind=text, sentence=text, feedback=notes, figures={text: 1.0, "ms": float("nan")})]
    marks += [mark(f"{text}{number}", sentence=text, fault=text, feedback=notes) for number in range(3)]
    who = dict.fromkeys(("student", "id", "sis_id", "login", "section", "course", "game", "file", "late"), text)
    return grade(*marks, **who, sha256=text, versions={text: text}, kept=2)


@pytest.mark.parametrize("text", [HOSTILE, "\U0001f4a3" * (1 << 20), "\x1b" * (1 << 20)], ids=["odd", "long", "ansi"])
def test_what_strangers_wrote_is_inert_and_bounded_in_every_format(tmp_path: Path, text: str) -> None:
    of = hostile(text)
    write([of, of], tmp_path, [], staff=True)
    for path in tmp_path.rglob("*"):
        if path.is_dir() or path.suffix in {".jsonl", ".svg"}:
            continue
        content = path.read_bytes()
        assert len(content) < 5_000_000, path
        parsed = {".json": _of_json, ".xml": _of_xml, ".csv": _of_csv, ".html": _of_html}.get(path.suffix)
        for part in parsed(content.decode()) if parsed is not None else [content.decode()]:
            odd = [char for char in set(part) if unicodedata.category(char)[0] == "C" and char not in "\n\t"]
            assert not odd, (path, odd[:5])
            assert path.suffix != ".csv" or cell(part) == part, (path, part[:50])


def _of_json(text: str) -> list[str]:
    found: list[str] = []

    def walk(value: Any) -> None:
        for each in [*value.keys(), *value.values()] if isinstance(value, dict) else value:
            found.append(each) if isinstance(each, str) else walk(each) if isinstance(each, (dict, list)) else None

    walk(json.loads(text))
    return found


def _of_html(text: str) -> list[str]:
    return [text, *_of_json(unpacked(Elements(text), "data").decode())]


def _of_xml(text: str) -> list[str]:
    return [part for node in ElementTree.fromstring(text).iter() for part in (node.text or "", *node.attrib.values())]


def _of_csv(text: str) -> list[str]:
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len({len(row) for row in rows}) == 1
    return [part for row in rows for part in row]


def test_a_class_of_nobody_is_written_too(tmp_path: Path) -> None:
    outputs.write([], tmp_path, [])
    assert json.loads((tmp_path / "json/grades.json").read_bytes()) == {"grades": []}
    assert (tmp_path / "canvas/grades.csv").read_text().startswith('"Student","ID"')
    outputs.write([], tmp_path, [], staff=True)
    assert "<title>The class: grades</title>" in (tmp_path / "staff/index.html").read_text()
