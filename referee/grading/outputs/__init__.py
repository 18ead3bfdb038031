"""Grades as others read them: a folder for each student and format, and the whole class for gradebooks and programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from referee.grading.outputs import canvas, classroom50, github, gradescope, html, junit, plain, prairielearn
from referee.grading.outputs.sheet import in_full
from referee.grading.report import Grade
from referee.grading.store import written
from sandbox import clean

Files = dict[str, bytes]  # by their names

_STUDENT: dict[str, Callable[[Grade], Files]] = {
    "gradescope": gradescope.files,
    "junit": junit.files,
    "classroom50": classroom50.files,
    "prairielearn": prairielearn.files,
    "github": github.files,
    html.FORMAT: html.files,
    "json": plain.result_json,
    "csv": plain.result_csv,
}
_CLASS: dict[str, tuple[str, Callable[[Sequence[Grade]], bytes]]] = {
    "canvas": ("grades.csv", canvas.grades),
    "json": ("grades.json", plain.class_json),
    "csv": ("grades.csv", plain.class_csv),
}
FORMATS = tuple(dict.fromkeys([*_STUDENT, *_CLASS]))
STAFF = "staff"
INDEX = "index.html"  # of the reports that staff read
_IN_FULL = (html.FORMAT, "json", "junit", "gradescope")
# What another run may have left: files beside a result that were numbered otherwise, and what a kill cut short.
_LEFT = re.compile(r"(questions|position)(-\d+)?\.(jsonl|svg)|new-\w{8}")


class OutputError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


def chosen(formats: Sequence[str]) -> list[str]:
    """Those that were named, each once; all where none is."""
    for name in formats:
        if name not in FORMATS:
            raise OutputError(f"'{clean(name, 50)}' is no format of results; take one of {', '.join(FORMATS)}.")
    return list(dict.fromkeys(formats)) or list(FORMATS)


def render(format: str, grade: Grade, *, staff: bool = False) -> Files:
    """One student's result: what the student may see, or all of it for staff."""
    if format not in _STUDENT:
        raise OutputError(f"'{clean(format, 50)}' is not made for one student; take one of {', '.join(_STUDENT)}.")
    return _STUDENT[format](in_full(grade) if staff else grade)


def write(
    grades: Sequence[Grade], out: Path, formats: Sequence[str], staff: bool = False, everybody: bool = True
) -> None:
    """Everything in these formats; with `staff`, also all that students may not see, in a folder of its own.

    The files of the whole class are left as they are where these grades are not `everybody`'s.
    """
    names = chosen(formats)
    for grade in grades:
        for name in names:
            if name in _STUDENT:
                _put(out / folder(grade) / name, render(name, grade))
        if staff:
            for name in _IN_FULL:
                _put(out / STAFF / folder(grade) / name, render(name, grade, staff=True))
    for name in names:
        if name in _CLASS and everybody:
            file, made = _CLASS[name]
            _put(out / name, {file: made(grades)})
    if staff and everybody:
        place = out / STAFF
        place.mkdir(parents=True, exist_ok=True)
        written(place / INDEX, html.table({folder(grade): grade for grade in grades}), mode=0o644)


def folder(grade: Grade) -> str:
    """Where a student's results are: of a name that leads nowhere else, and is not that of the class."""
    key = grade.key
    if not key or set(key) <= {"."} or re.search(r"[/\\]", key) or clean(key, 200) != key:
        raise OutputError(f"'{clean(key, 50)}' cannot name a folder; change the student's name in the roster.")
    return f"{key} (student)" if key.casefold() in {*_CLASS, STAFF, INDEX} else key


def _put(place: Path, files: Mapping[str, bytes]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        written(place / name, content, mode=0o644)  # a hosted grader may read it as somebody else
    for left in place.iterdir():
        if left.name not in files and _LEFT.fullmatch(left.name):
            left.unlink()
