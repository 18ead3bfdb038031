"""Gradescope's results.json. It is for the platform, which knows the whole score and shows each check in time."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.grading.outputs.sheet import Item, Sheet, in_full, number, outside, sheet
from referee.grading.report import Grade
from referee.grading.rubric import Visibility
from sandbox import clean

_VISIBILITY = {
    Visibility.VISIBLE: "visible",
    Visibility.AFTER_DUE: "after_due_date",
    Visibility.AFTER_PUBLISHED: "after_published",
    Visibility.HIDDEN: "hidden",
}
# Of what a check measured: what the column is called, and whether less is better.
_COLUMNS = {"rate": ("win rate", "desc"), "ms": ("ms a move", "asc"), "mb": ("MB", "asc"), "place": ("place", "asc")}
_RECORD = 30_000  # characters of one that is still given with the text, since students get no files here
_OUTPUT = 100_000


def files(grade: Grade) -> dict[str, bytes]:
    """Hidden checks are named only where they are opened, that is for staff."""
    full = sheet(in_full(grade))
    named = [
        item for item, is_open in zip(full.items, grade.opened, strict=True)
        if is_open or item.visibility is not Visibility.HIDDEN
    ]  # fmt: skip
    hidden = [item for item in full.items if item.visibility is Visibility.HIDDEN]
    tests = [_test(item, full) for item in named]
    tests += [
        {"name": f"Hidden check {count}", "visibility": "hidden"}
        for count in range(1, len(full.items) - len(named) + 1)
    ]
    if any(item.points for item in hidden):
        # A total beside the open checks gives hidden points away; the platform shows none while a test waits.
        veil = "The total counts checks that are not shown."
        tests.append({"name": "Total", "output": veil, "output_format": "text", "visibility": "after_published"})
    result = {
        "score": full.earned,
        "output": "\n".join(_told(grade, full)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": _leaderboard(full),
        "extra_data": {"course": full.course, "game": full.game, "file": full.file, "sha256": full.sha256},
    }
    return {"results.json": msgspec.json.encode(result)}


def _told(grade: Grade, full: Sheet) -> list[str]:
    """What every student may read at any time."""
    waiting = {
        "shown after the due date": Visibility.AFTER_DUE,
        "shown once results are published": Visibility.AFTER_PUBLISHED,
        "never shown": Visibility.HIDDEN,
    }
    counts = {when: sum(item.visibility is kind for item in full.items) for when, kind in waiting.items()}
    later = [f"Checks that are {when}: {count}." for when, count in counts.items() if count]
    late = [clean(grade.late)] if grade.late else []
    return [*late, *filter(None, [outside(grade, whole=not later)]), *later] or ["All checks are shown."]


def _test(item: Item, full: Sheet) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": item.title,
        "name_format": "text",
        "score": item.earned,
        "max_score": item.points,
        "status": "passed" if item.passed else "failed",
        "output": clean(_output(item, full), _OUTPUT, keep="\n\t"),
        "output_format": "text",
        "visibility": _VISIBILITY[item.visibility],
        "extra_data": {"kind": item.kind, **item.figures},
    }
    if item.fault:
        del test["score"], test["status"]  # neither was found out
    return test


def _output(item: Item, full: Sheet) -> str:
    parts = [item.text]
    for note in item.notes:
        record = full.attached.get(note.record, b"").decode()
        if record and clean(record, _RECORD, keep="\n") == record:
            parts.append(f"{note.record}, to be saved under this name:\n{record}")
    return "\n\n".join(parts)


def _leaderboard(full: Sheet) -> list[dict[str, Any]]:
    """The whole class reads it: nothing but what is visible from the start."""
    seen = [item for item in full.items if item.visibility is Visibility.VISIBLE]
    rows: list[dict[str, Any]] = [{"name": "points", "value": float(number(sum(item.earned for item in seen)))}]
    for item in seen:
        for figure, value in item.figures.items():
            if figure in _COLUMNS:
                name, order = _COLUMNS[figure]
                rows.append({"name": f"{item.title}: {name}", "value": value, "order": order})
    return rows
