"""A whole class as learning platforms export it."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from referee.grading.archive import ArchiveError
from referee.grading.exports import Export, mapped
from referee.grading.intake import Intake
from referee.grading.platforms import Handin
from referee.grading.roster import RosterError
from sandbox import SubmissionError
from tests.grading.courses import CRASHES, HONEST, course, run, told
from tests.grading.zips import raw, zipped

Files = Mapping[str, str]

METADATA = """\
---
submission_11:
  :submitters:
  - :name: Ann Smith
    :sid: '101'
    :email: ann@uni.edu
  :created_at: 2026-11-30 22:10:23.180130000 Z
  :score: 10.0
  :results:
    :tests:
    - :name: Nobody
      :sid: '999'
  :history:
  - :id: 10
    :created_at: 2026-11-01 00:00:00.000000000 Z
submission_12:
  :submitters:
  - :name: Bob Brown
    :sid:
    :email: bob@uni.edu
  - :name: Cleo Cohn
    :sid: 103
    :email: cleo@uni.edu
  :created_at: 2026-12-01 01:00:00 +0100
"""

# What is in the export; and of each student the surest name, the file that plays, and whether there is a time.
PLATFORMS: dict[str, tuple[Files, set[tuple[str, str]]]] = {
    "Canvas": (
        {"smithann_101_5001_bot.py": HONEST, "brownbob_LATE_102_5002_my_bot-1.py": CRASHES},
        {("101", "bot.py"), ("102", "my_bot-1.py")},
    ),
    "Canvas, several files": (
        {"smithann_101_5001_strategy.py": HONEST, "smithann_101_5002_weights.json": "[1]"},
        {("101", "strategy.py")},
    ),
    "Moodle": (
        {
            "Ann Smith_77_assignsubmission_file_/bot.py": HONEST,
            "Bob van der Brown_78_assignsubmission_file_/w/strategy.py": CRASHES,
            "Bob van der Brown_78_assignsubmission_onlinetext_/onlinetext.html": "<p>",
        },
        {("Ann Smith", "bot.py"), ("Bob van der Brown", "strategy.py")},
    ),
    "Moodle, without folders": (
        {"Ann Smith_77_assignsubmission_file_bot.py": HONEST},
        {("Ann Smith", "bot.py")},
    ),
    "Gradescope": (
        {
            "assignment_9_export/submission_metadata.yml": METADATA,
            "assignment_9_export/submission_11/bot.py": HONEST,
            "assignment_9_export/submission_12/strategy.py": CRASHES,
        },
        {("101", "bot.py"), ("bob@uni.edu", "strategy.py"), ("103", "strategy.py")},
    ),
    "Blackboard": (
        {
            "Bot_asmith_attempt_2026-11-30-10-11-12_bot.py": HONEST,
            "Bot_asmith_attempt_2026-11-30-10-11-12.txt": "Name: Ann Smith",
        },
        {("asmith", "bot.py")},
    ),
    "folders and files": (
        {"ann/strategy.py": HONEST, "bob.py": CRASHES, "cleo/work/bot.py": HONEST, ".DS_Store": "", "__MACOSX/x": ""},
        {("ann", "strategy.py"), ("bob", "bob.py"), ("cleo", "bot.py")},
    ),
    "all in one folder": (
        {"class/ann/strategy.py": HONEST, "class/bob/bot.py": CRASHES},
        {("ann", "strategy.py"), ("bob", "bot.py")},
    ),
    "files in one folder": ({"class/ann.py": HONEST, "class/bob.py": CRASHES}, {("ann", "ann.py"), ("bob", "bob.py")}),
    "one student": ({"ann/strategy.py": HONEST}, {("ann", "strategy.py")}),
}


def laid(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def read(path: Path, given: Mapping[str, Any] | None = None) -> list[tuple[Handin, Intake]]:
    with Export(path) as export:
        return [(handin, export.read(handin)) for handin in export.handins(dict(given or {}), UTC)]


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_export_is_taken_apart(platform: str, form: str, tmp_path: Path) -> None:
    files, expected = PLATFORMS[platform]
    path = laid(tmp_path / "all", files) if form == "folder" else zipped(tmp_path / "all.zip", files)
    assert {(handin.names[0], intake.submission.entry) for handin, intake in read(path)} == expected


def test_several_files_of_one_student_are_one_folder(tmp_path: Path) -> None:
    ((_, intake),) = read(zipped(tmp_path / "all.zip", PLATFORMS["Canvas, several files"][0]))
    assert [*intake.submission.files] == ["strategy.py", "weights.json"]


def test_the_times_and_marks_of_platforms_are_read(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "g.zip", PLATFORMS["Gradescope"][0]))
    assert {handin.names[0]: handin.time for handin, _ in found} == {
        "101": datetime(2026, 11, 30, 22, 10, 23, tzinfo=UTC),
        "bob@uni.edu": datetime(2026, 12, 1, tzinfo=UTC),
        "103": datetime(2026, 12, 1, tzinfo=UTC),
    }
    ((handin, _),) = read(zipped(tmp_path / "b.zip", PLATFORMS["Blackboard"][0]))
    assert handin.time == datetime(2026, 11, 30, 10, 11, 12, tzinfo=UTC)
    found = read(zipped(tmp_path / "c.zip", PLATFORMS["Canvas"][0]))
    assert {handin.names[1]: handin.marked_late for handin, _ in found} == {"smithann": False, "brownbob": True}


def test_a_map_overrules_what_names_seem_to_say(tmp_path: Path) -> None:
    path = zipped(tmp_path / "all.zip", {"all/ann.py": HONEST, "all/x.py": HONEST, "all/y/strategy.py": CRASHES})
    (tmp_path / "map.csv").write_text("file,student,time\r\nx.py,bob\nall/y/,cleo,2026-11-30T12:00:00+01:00\n")
    given = mapped(tmp_path / "map.csv", UTC)
    found = {handin.names[0]: handin.time for handin, _ in read(path, given)}
    assert found == {"ann": None, "bob": None, "cleo": datetime(2026, 11, 30, 11, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("text", "said"),
    [("x.py\n", ":1: write a file"), ("a,b\nx,,\n", ":2: write a file"), ("a,b,soon\n", ":1: 'soon' is no time")],
)
def test_a_mistake_in_a_map_is_told_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "map.csv").write_text(text)
    with pytest.raises(RosterError, match=said):
        mapped(tmp_path / "map.csv", UTC)


def test_links_of_a_student_are_never_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(HONEST)
    all_of_them = laid(tmp_path / "all", {"bob.py": HONEST})
    (all_of_them / "ann.py").symlink_to(tmp_path / "secret.py")
    (all_of_them / "cleo").symlink_to(tmp_path)
    with Export(all_of_them) as export:
        for handin in export.handins({}, UTC):
            if handin.names == ("bob",):
                export.read(handin)
            else:
                with pytest.raises(SubmissionError, match="is a link or a device"):
                    export.read(handin)


def test_a_hostile_part_of_an_export_is_its_students_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("ann/strategy.py", HONEST)
        made.writestr("bob/strategy.py", HONEST)
        made.writestr("bob/data", bytes(8 << 20))
        made.writestr(raw("cleo/link", mode=stat.S_IFLNK | 0o777), "/etc")
        made.writestr(raw("../../dan/strategy.py"), HONEST)
        made.writestr(raw("/eve.py"), HONEST)
    with Export(tmp_path / "all.zip") as export:
        assert export.strays == ["../../dan/strategy.py", "/eve.py"]
        results = {}
        for handin in export.handins({}, UTC):
            try:
                results[handin.names[0]] = export.read(handin).submission.entry
            except ArchiveError as error:
                results[handin.names[0]] = str(error)
    assert results["ann"] == "strategy.py"
    assert "zip bomb" in results["bob"]
    assert "a link or a device" in results["cleo"]
    assert len(results) == 3


def test_a_class_is_taken_in_and_everything_is_accounted_for(tmp_path: Path) -> None:
    place = course(tmp_path / "c", "[deadline]\ndue = 2026-12-01T12:00:00Z")
    (place / "roster.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        '"Smith, Ann",101,s1,asmith,A\n"Brown, Bob",102,s2,bbrown,A\n"Cohn, Cleo",103,s3,ccohn,B\n'
        '"Dell, Dan",104,s4,ddell,B\n"Ems, Eve",105,s5,eems,B\n'
    )
    inner = zipped(tmp_path / "inner.zip", {"work/bot.py": HONEST}).read_bytes()
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("smithann_101_1_bot.py", HONEST)
        made.writestr("brownbob_LATE_102_2_bot.py", CRASHES)
        made.writestr("cohncleo_103_3_work.zip", inner)
        made.writestr("delldan_104_4_essay.docx", "words")
        made.writestr("zzz_900_5_bot.py", HONEST)
    words = ["submit", place, "--all", tmp_path / "all.zip", "--at", "2026-12-01T11:00:00"]
    found = told(*words, code=1)
    assert [(row["student"], row["admitted"]) for row in found["taken"]] == [
        ("Brown, Bob", False),
        ("Cohn, Cleo", True),
        ("Smith, Ann", True),
    ]
    assert [(row["student"], row["file"]) for row in found["refused"]] == [("Dell, Dan", "delldan_104_4_essay.docx")]
    assert [row["file"] for row in found["unknown"]] == ["zzz_900_5_bot.py"]
    assert found["missing"] == ["Dell, Dan", "Ems, Eve"]
    again = run(*words)
    assert again.exit_code == 1
    for said in (
        "Smith, Ann handed in the same on 2026-12-01 11:00:00 UTC",
        "Not admitted: exception: KeyError: 0 (bot.py, line",
        "The platform marks it late",
        "Dell, Dan: not taken. delldan_104_4_essay.docx is not a Python file",
        "Nobody's: zzz_900_5_bot.py. 'zzz' is nobody in roster.csv",
        "Nothing yet from: Dell, Dan, Ems, Eve",
        "3 taken, 2 of them admitted; 1 not taken, 1 nobody's.",
    ):
        assert said in again.output
    late = told("submit", place, "--all", tmp_path / "all.zip", "--at", "2026-12-01T13:00:00", code=1)
    assert all(not row["new"] for row in late["taken"]), "the same again is not late"
    assert len(told("submissions", place)["submissions"]) == 3
