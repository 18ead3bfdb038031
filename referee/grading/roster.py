"""Who is in the class: roster.csv, the many ways to name a student, and a folder name for each."""

from __future__ import annotations

import csv
import difflib
import hashlib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from sandbox import clean

FILE = "roster.csv"
MOST_BYTES = 8 << 20
_LONGEST = 100  # characters of a name

# As we, Canvas and Gradescope head the columns.
_COLUMNS = {
    "name": ("name", "student", "student name", "full name"),
    "first": ("first name", "given name"),
    "last": ("last name", "surname", "family name"),
    "id": ("id", "student id", "canvas id"),
    "sis_id": ("sis id", "sis user id", "sid"),
    "login": ("sis login id", "login", "login id", "username", "email", "email address"),
    "section": ("section", "sections"),
}
_NOBODY = {"points possible", "student, test"}  # rows of a Canvas gradebook that are no students
# A file of one of these names cannot be made on Windows, where somebody may unpack the grades.
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class RosterError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


class Student(msgspec.Struct, frozen=True, kw_only=True):
    """One of the class; only the name is always known."""

    name: str
    id: str = ""
    sis_id: str = ""
    login: str = ""
    section: str = ""
    title: str = ""  # what no other student is called: the name, with the id where two share one

    @property
    def key(self) -> str:
        """What the store knows the student by; stays when a name is corrected."""
        return self.id or self.sis_id or self.login or self.name

    @property
    def identity(self) -> str:
        """The key, whichever way somebody wrote it."""
        return _plain(self.key)

    @property
    def folder(self) -> str:
        """A name for a folder: on any system, without leading anywhere, and nobody else's."""
        title = unicodedata.normalize("NFC", self.title or self.name)
        safe = re.sub(r"[^\w ,.()'-]", "_", title)[:60].strip(" .-")
        # Where something had to be changed, two titles may have become one.
        unsafe = not safe or safe != title or _RESERVED.fullmatch(safe)
        return f"{safe or 'student'}-{_digest(title)}" if unsafe else safe


class Roster:
    """The students of a course. Without a roster.csv everybody is one."""

    def __init__(self, students: tuple[Student, ...] | None = None) -> None:
        self.is_open = students is None
        shared = Counter(_plain(student.name) for student in students or ())
        self.students = tuple(
            msgspec.structs.replace(
                student, title=student.name if shared[_plain(student.name)] == 1 else f"{student.name} ({student.key})"
            )
            for student in students or ()
        )
        # The surest way to name somebody first: where one finds anybody, the next is not asked.
        self._ways: tuple[dict[str, list[Student]], ...] = ({}, {}, {})
        for found, ways in zip(self._ways, (_ids, _names, _squeezed), strict=True):
            for student in self.students:
                for way in ways(student):
                    found.setdefault(way, []).append(student)

    @classmethod
    def of(cls, folder: Path) -> Roster:
        """That of the course in a folder."""
        path = folder / FILE
        return cls(tuple(_read(path))) if path.exists() else cls()

    def find(self, text: str) -> Student:
        """The student that a name, an id, a SIS id or a login means; raises RosterError."""
        if self.is_open:
            return _anybody(text)
        wanted = _plain(text)
        for ways, word in zip(self._ways, (wanted, wanted, _letters(text)), strict=True):
            found = ways.get(word, [])
            if len(found) > 1:
                titles = ", ".join(student.title for student in found)
                raise RosterError(f"{_shown(text)} may be any of {titles}; give the id.")
            if found:
                return found[0]
        people = self._ways[0] | self._ways[1]
        near = difflib.get_close_matches(wanted, people, 3, 0.7)
        meant = ", ".join(dict.fromkeys(student.title for way in near for student in people[way]))
        advice = f"did you mean {meant}?" if meant else "add a line there, or check the spelling."
        raise RosterError(f"{_shown(text)} is nobody in {FILE}; {advice}")

    def known(self, key: str) -> Student:
        """The student whom the store knows by this; who has left the roster has a name at least."""
        try:
            return self.find(key)
        except RosterError:
            return Student(name=key, title=key)


def _ids(student: Student) -> set[str]:
    return {_plain(word) for word in (student.id, student.sis_id, student.login) if word}


def _names(student: Student) -> set[str]:
    last, comma, first = student.name.partition(",")
    return {_plain(way) for way in (student.name, student.title, f"{first} {last}" if comma else "") if way}


def _squeezed(student: Student) -> set[str]:
    """As file names have it: `smithann`, of Smith, Ann and of Ann Smith."""
    last, comma, first = student.name.partition(",")
    words = [first, last] if comma else student.name.split()
    ways = {"".join(words), "".join(reversed(words)), "".join([*words[-1:], *words[:-1]])}
    local, at, _ = student.login.partition("@")
    return {_letters(way) for way in (*ways, local if at else "")} - {""}


def _anybody(text: str) -> Student:
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > _LONGEST or clean(name) != name or re.search(r"[/\\]", name) or set(name) <= {"."}:
        raise RosterError(f"{_shown(text)} is no name for a student; take up to {_LONGEST} letters and digits.")
    return Student(name=name, title=name)


def _plain(text: str) -> str:
    """Without what people write now one way, now another."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _letters(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in spread if char.isalnum())


def _read(path: Path) -> Iterator[Student]:
    rows = table(path)
    header_line, header = next(rows, (1, []))
    found = {_plain(name.replace("_", " ")): number for number, name in reversed(list(enumerate(header)))}
    columns = {
        column: next((found[name] for name in names if name in found), None) for column, names in _COLUMNS.items()
    }
    if columns["name"] is None and (columns["first"] is None or columns["last"] is None):
        raise RosterError(f"{path}:{header_line}: no column is called `name`; the first line names the columns, "
                          "for example: name, id, SIS id, section.")  # fmt: skip
    taken: dict[tuple[str, str], int] = {}
    for line, row in rows:
        cell = {
            column: row[number].strip() if number is not None and number < len(row) else ""
            for column, number in columns.items()
        }
        first, last = cell.pop("first"), cell.pop("last")
        cell["name"] = clean(cell["name"] or f"{first} {last}".strip(), _LONGEST)
        if not any(cell.values()) or _plain(cell["name"]) in _NOBODY:
            continue
        if not cell["name"]:
            raise RosterError(f"{path}:{line}: this student has no name; add one.")
        student = Student(**cell)
        for kind, word in (("id", student.id), ("SIS id", student.sis_id), ("name and id", student.name + student.key)):
            if word and (kind, _plain(word)) in taken:
                other = taken[kind, _plain(word)]
                raise RosterError(f"{path}:{line}: the same {kind} as on line {other}; students differ in it.")
            taken[kind, _plain(word)] = line
        yield student


def table(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file with their line numbers, whatever a spreadsheet made of it; raises RosterError."""
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RosterError(f"{path} cannot be read: {error.strerror}.") from None
    if len(content) > MOST_BYTES:
        raise RosterError(f"{path} has over {MOST_BYTES:,} bytes; it is no list of a class.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise RosterError(f"{path}:{line}: this is not UTF-8; save it as CSV in that encoding.") from None
    separator = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield rows.line_num, row
    except csv.Error as error:
        raise RosterError(f"{path}:{rows.line_num}: this is not CSV: {error}.") from None


def _shown(text: str) -> str:
    return f"'{clean(text, _LONGEST)}'"


def _digest(text: str) -> str:
    return hashlib.sha256(_plain(text).encode("utf-8", "surrogatepass")).hexdigest()[:8]
