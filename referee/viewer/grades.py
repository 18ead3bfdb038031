"""The pages of grades: what one submission earned and why, and for staff a table of the class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from referee.viewer.page import page

if TYPE_CHECKING:
    from referee.grading.outputs.sheet import Sheet

_ROOM = 8 << 20  # bytes of records and pictures that a page carries


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A student in the table of the class; text that is safe to show."""

    student: str
    login: str
    section: str
    file: str
    submitted: str
    earned: float
    total: float
    passed: int  # checks
    checks: int
    verdicts: tuple[str, ...]  # that it was kicked by, each once
    late: str
    fault: str
    link: str  # to the report, from beside the table


def report(seen: Sheet) -> str:
    """The HTML, of as much as the sheet lets its reader see."""
    attached = _carried(seen.attached)
    items = [_check(check, item.passed, attached) for check, item in zip(_plain(seen.items), seen.items, strict=True)]
    data = {
        "student": seen.student,
        "course": seen.course,
        "game": seen.game,
        "file": seen.file,
        "sha256": seen.sha256,
        "submitted": f"{seen.submitted:%d %B %Y, %H:%M %Z}".strip() if seen.submitted is not None else "",
        "earned": seen.earned,
        "total": seen.total,
        "withheld": seen.withheld,
        "remarks": seen.remarks,
        "checks": items,
    }
    return page(f"{seen.student}: {seen.score}", "grades", data, attached)


def index(course: str, rows: Sequence[Row]) -> str:
    return page(f"{course}: grades", "grades", {"course": course, "rows": rows})


def _plain(items: Sequence[Any]) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(item) for item in items]


def _check(check: dict[str, Any], passed: bool, attached: dict[str, bytes]) -> dict[str, Any]:
    """With no names of files that the page does not carry."""
    for note in check["notes"]:
        note.update({kind: note[kind] if note[kind] in attached else "" for kind in ("record", "picture")})
    return check | {"passed": passed}


def _carried(files: dict[str, bytes]) -> dict[str, bytes]:
    """As many as there is room for, the small before the large."""
    carried: dict[str, bytes] = {}
    room = _ROOM
    for name, content in sorted(files.items(), key=lambda file: (len(file[1]), file[0])):
        room -= len(content)
        if room < 0:
            break
        carried[name] = content
    return carried
