"""A gradebook as Canvas imports it: who, and the points of one assignment, which is called as the course is."""

from __future__ import annotations

from collections.abc import Sequence

from referee.cells import table
from referee.grading.outputs.sheet import bounded, line, number
from referee.grading.report import Grade

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def grades(class_: Sequence[Grade]) -> bytes:
    """Whoever has no score through a fault of ours has none here: Canvas leaves that one as it is."""
    first = next(iter(class_), None)
    rows: list[list[object]] = [
        [*COLUMNS, line(first.course) if first is not None else "Grade"],
        ["Points Possible", "", "", "", "", number(first.total) if first is not None else ""],
    ]
    for grade in class_:
        unknown = bool(grade.fault) and grade.kept is None
        points = "" if unknown else number(bounded(grade.earned, grade.total))
        who = (grade.student, grade.id, grade.sis_id, grade.login, grade.section)
        rows.append([*map(line, who), points])
    return table(rows)
