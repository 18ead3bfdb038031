"""Classroom 50's result.json (classroom50/result/v1), with points as whole numbers, which is all that it takes."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from typing import Any

import msgspec

from referee.grading.outputs.github import summary
from referee.grading.outputs.sheet import Sheet, line, number, sheet
from referee.grading.report import Grade

SCHEMA = "classroom50/result/v1"
_TYPES = ("individual", "group", "team")
_OUTPUT = 4_000  # characters
_BODY = 120_000  # bytes; GitHub takes 125,000 characters of a release


def files(grade: Grade, environ: Mapping[str, str] = os.environ) -> dict[str, bytes]:
    """Who and what was graded is told by the platform's runner in the environment, and made up elsewhere."""
    seen = sheet(grade)
    scale = _scale(seen)
    most = [round(item.points * scale) for item in seen.items]
    # Rounded by running sums: each score is whole, and so is their sum, which is off by half a unit at most.
    sums = [math.floor(part * scale + 0.5) for part in accumulate(item.earned * grade.share for item in seen.items)]
    scores = [min(after - before, top) for (before, after), top in zip(pairwise([0, *sums]), most, strict=True)]
    kept = seen.faulty and grade.kept is not None and not seen.withheld
    tests = [
        {
            "test-name": item.title,
            "passed": item.passed,
            "score": score,
            "max-score": top,
            "points": f"{number(item.earned)} of {number(item.points)}",
            "output": item.cut(_OUTPUT),
        }
        for item, score, top in zip(seen.items, scores, most, strict=True)
    ]
    result = {
        "schema": SCHEMA,
        **_identity(grade, environ),
        "score": min(math.floor(seen.earned * scale + 0.5), sum(most)) if kept else sum(scores),
        "max-score": sum(most),
        "tests": tests,
    }
    # Unknown keys are refused there: what else is to be said is said in the release that the student sees.
    body = summary(seen, _BODY)
    return {**seen.attached, "release-body.md": body, "result.json": msgspec.json.encode(result)}


def _scale(seen: Sheet) -> int:
    """Units a point: enough for whole numbers, and the same for the whole class."""
    points = [item.points for item in seen.items]
    return next((scale for scale in (1, 10) if all(round(part * scale, 6) % 1 == 0 for part in points)), 100)


def _identity(grade: Grade, environ: Mapping[str, str]) -> dict[str, Any]:
    submitted = (grade.submitted or datetime.now(UTC)).astimezone(UTC)
    fingerprint = f"sha256:{line(grade.sha256) or 'none'}"
    made_up = {
        "classroom": line(grade.course) or "course",
        "assignment": line(grade.game) or "game",
        "assignment_type": "individual",
        "owner": line(grade.login or grade.key) or "student",
        "submission": f"submit/{submitted:%Y-%m-%dT%H-%M-%SZ}-{line(grade.sha256)[:7] or 'none'}",
        "commit": fingerprint,
        "release": fingerprint,
        "review": fingerprint,
        "datetime": f"{submitted:%Y-%m-%dT%H:%M:%SZ}",
    }
    if not environ.get("SUBMISSION_TAG", "").startswith("submit/"):
        return made_up
    commit = environ.get("COMMIT_URL") or fingerprint
    told = {
        "classroom": environ.get("CLASSROOM"),
        "assignment": environ.get("ASSIGNMENT"),
        "assignment_type": environ.get("ASSIGNMENT_TYPE") if environ.get("ASSIGNMENT_TYPE") in _TYPES else None,
        "owner": environ.get("OWNER"),
        "submission": environ["SUBMISSION_TAG"],
        "commit": commit,
        "release": environ.get("RELEASE_URL") or commit,
        "review": environ.get("REVIEW_URL") or commit,
    }
    return made_up | {key: line(value) for key, value in told.items() if value}
