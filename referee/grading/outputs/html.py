"""Pages to open in a browser: a report for each student, and for staff a table of the class that leads to them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from referee.grading.outputs.sheet import Sheet, bounded, in_full, line, sheet
from referee.grading.report import Grade
from referee.viewer.grades import Row, index, report
from sandbox import clean

FORMAT = "html"
_REPORT = "report.html"


def files(grade: Grade) -> dict[str, bytes]:
    return {_REPORT: report(sheet(grade)).encode()}


def table(grades: Mapping[str, Grade]) -> bytes:
    """Of the class, by the folders that lie beside it."""
    course = next((line(grade.course) for grade in grades.values()), "")
    return index(course or "The class", [_row(folder, grade) for folder, grade in grades.items()]).encode()


def _row(folder: str, grade: Grade) -> Row:
    full = sheet(in_full(grade))
    return Row(
        student=full.student,
        login=line(grade.login),
        section=line(grade.section),
        file=full.file,
        submitted=f"{full.submitted:%Y-%m-%d %H:%M}" if full.submitted is not None else "",
        earned=bounded(grade.earned, grade.total),
        total=grade.total,
        passed=sum(item.passed for item in full.items),
        checks=len(full.items),
        verdicts=_verdicts(full),
        late=clean(grade.late),
        fault=clean(grade.fault),
        link=f"./{quote(folder, safe='')}/{FORMAT}/{_REPORT}",
    )


def _verdicts(full: Sheet) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note.verdict for item in full.items for note in item.notes if note.verdict))
