"""Plain JSON and CSV: a student's result as far as it is shown, and the grades of the class for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.cells import table
from referee.grading.outputs.sheet import bounded, in_full, line, number, sheet
from referee.grading.report import Grade
from sandbox import clean


def result_json(grade: Grade) -> dict[str, bytes]:
    seen = sheet(grade)
    result = msgspec.to_builtins(seen)
    checks = [check | {"passed": item.passed} for check, item in zip(result.pop("items"), seen.items, strict=True)]
    del result["attached"], result["faulty"]
    return {**seen.attached, "result.json": _json({**result, "fault": seen.faulty, "checks": checks})}


def result_csv(grade: Grade) -> dict[str, bytes]:
    seen = sheet(grade)
    rows: list[list[object]] = [["check", "kind", "points", "earned", "result"]]
    rows += [
        [item.title, item.kind, number(item.points), number(item.earned), item.fault or item.sentence]
        for item in seen.items
    ]
    rows.append(["total", "", number(seen.total), number(seen.earned), " ".join(seen.remarks)])
    return {"result.csv": table(rows)}


def class_json(grades: Sequence[Grade]) -> bytes:
    return _json({"grades": [_row(grade) for grade in grades]})


def class_csv(grades: Sequence[Grade]) -> bytes:
    rows = [_row(grade) for grade in grades]
    titles = list(dict.fromkeys(check["title"] for row in rows for check in row["checks"]))
    who = ["student", "id", "sis_id", "login", "section", "file", "sha256", "submitted", "late", "fault"]
    made: list[list[object]] = [[*who, "earned", "total", *titles]]
    for row in rows:
        earned = {check["title"]: number(check["earned"]) for check in row["checks"]}
        points = [number(row["earned"]), number(row["total"])]
        made.append([*("" if row[key] is None else row[key] for key in who), *points,
                     *(earned.get(title, "") for title in titles)])  # fmt: skip
    return table(made)


def _row(grade: Grade) -> dict[str, Any]:
    full = sheet(in_full(grade))
    fields = ("title", "kind", "visibility", "points", "earned", "sentence", "fault", "figures")
    return {
        "student": full.student,
        "key": line(grade.key),
        "id": line(grade.id),
        "sis_id": line(grade.sis_id),
        "login": line(grade.login),
        "section": line(grade.section),
        "course": full.course,
        "game": full.game,
        "file": full.file,
        "sha256": full.sha256,
        "submitted": grade.submitted.isoformat() if grade.submitted is not None else None,
        "late": clean(grade.late),
        "share": grade.share,
        "loads": grade.loads,
        "fault": clean(grade.fault),
        "kept": grade.kept,
        "earned": bounded(grade.earned, grade.total),
        "total": grade.total,
        "seed": grade.seed,
        "versions": {line(name): line(version) for name, version in grade.versions.items()},
        "checks": [{field: getattr(item, field) for field in fields} for item in full.items],
    }


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"
