"""roster.csv as people and platforms write it, and the names of students."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.grading.roster import Roster, RosterError, Student

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Bot (123)\r\n"
    "    Points Possible,,,,,100\r\n"
    '"Smith, Ann",101,S1,asmith@uni.edu,"A, early",\r\n'
    '"Müller, Jörg",102,S2,jmuller,B,\r\n'
    '"Lee, Sam",103,S3,slee1,B,\r\n'
    '"Lee, Sam",104,S4,slee2,B,\r\n'
    '"Student, Test",999,,x,B,\r\n'
)


def roster(folder: Path, text: str) -> Roster:
    (folder / "roster.csv").write_bytes(text.encode())
    return Roster.of(folder)


def test_a_plain_roster_names_students(tmp_path: Path) -> None:
    found = roster(tmp_path, "name,id,SIS id,section\nann,1,s1,A\n\nbob,2,s2,B\n")
    assert [(student.name, student.id, student.sis_id, student.section) for student in found.students] == [
        ("ann", "1", "s1", "A"),
        ("bob", "2", "s2", "B"),
    ]
    assert {found.find(word).name for word in ("ann", "ANN", " Ann ", "1", "s1", "S1")} == {"ann"}


def test_a_canvas_gradebook_is_a_roster(tmp_path: Path) -> None:
    found = roster(tmp_path, CANVAS)
    assert [student.id for student in found.students] == ["101", "102", "103", "104"]
    for word in ("101", "s1", "asmith@uni.edu", "asmith", "Smith, Ann", "ann smith", "smithann", "AnnSmith"):
        assert found.find(word).id == "101", word
    for word in ("Jörg Müller", "mullerjorg", "müllerjörg", "jo\u0308rg mu\u0308ller"):
        assert found.find(word).id == "102", word
    assert found.students[0].section == "A, early"


def test_students_of_one_name_are_told_apart(tmp_path: Path) -> None:
    found = roster(tmp_path, CANVAS)
    assert [found.find(word).title for word in ("103", "slee2")] == ["Lee, Sam (103)", "Lee, Sam (104)"]
    with pytest.raises(RosterError, match=r"may be any of Lee, Sam \(103\), Lee, Sam \(104\); give the id"):
        found.find("Sam Lee")


def test_a_gradescope_roster_with_semicolons_is_understood(tmp_path: Path) -> None:
    found = roster(tmp_path, "First Name;Last Name;SID;Email;Sections\nAnn;Smith;7;ann@uni.edu;A\n")
    assert found.find("7") == found.find("Ann Smith") == found.find("ann") == found.students[0]


def test_somebody_unknown_is_refused_with_who_may_be_meant(tmp_path: Path) -> None:
    found = roster(tmp_path, CANVAS)
    with pytest.raises(RosterError, match=r"'Anne Smith' is nobody in roster\.csv; did you mean Smith, Ann\?"):
        found.find("Anne Smith")
    with pytest.raises(RosterError, match="check the spelling"):
        found.find("zzz")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "no column is called `name`"),
        ("a,b\n1,2\n", 1, "no column is called `name`"),
        ("name,id\nann,1\nbob,1\n", 3, "the same id as on line 2"),
        ("name,id,SIS id\nann,1,x\nbob,2,x\n", 3, "the same SIS id as on line 2"),
        ("name,id\nann,\nANN,\n", 3, "the same name and id as on line 2"),
        ("name,id\n,5\n", 2, "no name"),
        ('name,id\n"ann,1\n', 2, "not CSV"),
    ],
)
def test_a_mistake_in_the_roster_is_told_with_its_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(RosterError) as error:
        roster(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'roster.csv'}:{line}: ")
    assert said in str(error.value)


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes("name\nJörg\n".encode("latin-1"))
    with pytest.raises(RosterError, match=r"roster\.csv:2: this is not UTF-8"):
        Roster.of(tmp_path)


def test_without_a_roster_anybody_with_a_name_is_a_student(tmp_path: Path) -> None:
    anybody = Roster.of(tmp_path)
    assert anybody.find("  Ann   Smith ").name == "Ann Smith"
    assert anybody.find("ann smith").identity == anybody.find("Ann Smith").identity
    for word in ("", " ", "..", "a/b", "a\\b", "\x1b[2J", "\u202eann", "x" * 101, "a\0b"):
        with pytest.raises(RosterError, match="is no name for a student"):
            anybody.find(word)


def test_plain_names_are_their_own_folders() -> None:
    for name in ("ann", "Smith, Ann", "Jörg Müller", "o'neill", "a.b-c_d", "Lee, Sam (103)"):
        assert Student(name=name, title=name).folder == name


@given(st.lists(st.text(max_size=80), max_size=8, unique_by=lambda text: " ".join(text.casefold().split())))
def test_every_folder_is_a_safe_name(names: list[str]) -> None:
    for folder in (Student(name=name, title=name).folder for name in names):
        assert folder.strip(" .") == folder
        assert not set(folder) & set('/\\:*?"<>|\0\n')
        assert 0 < len(folder.encode("utf-8", "surrogatepass")) <= 255
        assert not folder.startswith("-")


def test_names_that_become_one_get_different_folders() -> None:
    names = ["../ann", "..\\ann", "__ann", ".ann", "ann.", "a/nn", "a:nn", "a" * 90, "a" * 91, "con", "CON.txt", "-x"]
    folders = [Student(name=name, title=name).folder for name in names]
    assert len({folder.casefold() for folder in folders}) == len(names)
    assert not {folder.casefold() for folder in folders} & {"con", "con.txt", "ann"}
