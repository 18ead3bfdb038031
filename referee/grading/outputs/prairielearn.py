"""PrairieLearn's results.json: a share of the points that are shown, and no attempt lost on a file that cannot load."""

from __future__ import annotations

import base64
from typing import Any

import msgspec

from referee.grading.outputs.sheet import Item, Sheet, fitting, sheet
from referee.grading.report import Grade

_MOST = 1_000_000  # bytes that the platform takes
_PICTURES = 300_000  # bytes of them, as they are written


def files(grade: Grade) -> dict[str, bytes]:
    seen = sheet(grade)
    pictures = _pictures(seen)
    # A fault of ours must not cost an attempt either, and there is no score to tell.
    gradable = grade.loads and not (seen.faulty and grade.kept is None)

    def made(limit: int) -> bytes:
        result: dict[str, Any] = {
            "gradable": gradable,
            "score": seen.earned / seen.total if gradable and seen.total else 0.0,
            "message": "\n".join([f"{seen.score}.", *seen.remarks]),
            "output": "",
            "tests": [_test(item, pictures if limit else {}, limit) for item in seen.items],
        }
        if not gradable:
            told = [item.cut(limit) or item.sentence for item in seen.items if item.notes or item.fault]
            result["format_errors"] = told[:1] or [*seen.remarks][:1] or ["The file cannot be loaded."]
        return msgspec.json.encode(result)

    return {**seen.attached, "results.json": fitting(made, _MOST)}


def _test(item: Item, pictures: dict[str, str], limit: int) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": item.title,
        "points": item.earned,
        "max_points": item.points,
        "message": item.sentence,
        "output": item.cut(limit),
    }
    found = [
        {"label": "The position", "url": pictures[note.picture]} for note in item.notes if note.picture in pictures
    ]
    return test | {"images": found} if found else test


def _pictures(seen: Sheet) -> dict[str, str]:
    """As addresses; as many as there is room for."""
    found: dict[str, str] = {}
    room = _PICTURES
    for name in (note.picture for item in seen.items for note in item.notes if note.picture):
        address = f"data:image/svg+xml;base64,{base64.b64encode(seen.attached[name]).decode()}"
        if len(address) <= room:
            found[name] = address
            room -= len(address)
    return found
