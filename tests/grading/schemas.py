"""The rules of formats that come without a validator on PyPI, as JSON Schema, written from their documentation."""

from __future__ import annotations

from typing import Any

_TEXT = {"type": "string"}
_NAME = {"type": "string", "minLength": 1}
_COUNT = {"type": "integer", "minimum": 0}
_POINTS = {"type": "number", "minimum": 0}
_VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
_TIME = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$"}


def _closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": required | optional,
        "additionalProperties": False,
    }


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


GRADESCOPE = _closed(
    {"score": _POINTS, "tests": _list(
        _closed(
            {},
            score=_POINTS,
            max_score=_POINTS,
            status={"enum": ["passed", "failed"]},
            name=_TEXT,
            name_format=_FORMAT,
            number=_TEXT,
            output=_TEXT,
            output_format=_FORMAT,
            tags=_list(_TEXT),
            visibility=_VISIBILITY,
            extra_data={"type": "object"},
        )
    )},
    execution_time=_POINTS,
    output=_TEXT,
    output_format=_FORMAT,
    test_output_format=_FORMAT,
    test_name_format=_FORMAT,
    visibility=_VISIBILITY,
    stdout_visibility=_VISIBILITY,
    extra_data={"type": "object"},
    leaderboard=_list(
        _closed({"name": _NAME, "value": {"type": ["number", "string"]}}, order={"enum": ["asc", "desc"]})
    ),
)  # fmt: skip

PRAIRIELEARN = {
    "type": "object",
    "if": {"properties": {"gradable": {"const": False}}, "required": ["gradable"]},
    "else": {"required": ["score"]},
    "properties": {
        "gradable": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": _TEXT,
        "output": _TEXT,
        "format_errors": {"anyOf": [_TEXT, _list(_TEXT)]},
        "images": _list(_closed({"url": _NAME}, label=_TEXT)),
        "tests": _list(
            _closed(
                {"name": _TEXT, "points": _POINTS, "max_points": _POINTS},
                description=_TEXT,
                message=_TEXT,
                output=_TEXT,
                images=_list(_closed({"url": {"type": "string", "pattern": "^data:image/"}}, label=_TEXT)),
            )
        ),
    },
}

CLASSROOM50 = _closed(
    {
        "schema": {"const": "classroom50/result/v1"},
        "classroom": _NAME,
        "assignment": _NAME,
        "assignment_type": {"enum": ["individual", "group", "team"]},
        "owner": _NAME,
        "submission": {"type": "string", "pattern": "^submit/"},
        "commit": _NAME,
        "release": _NAME,
        "review": _NAME,
        "datetime": _TIME,
        "score": _COUNT,
        "max-score": _COUNT,
        "tests": _list(
            {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": _NAME,
                    "passed": {"type": "boolean"},
                    "score": _COUNT,
                    "max-score": _COUNT,
                },
            }
        ),
    },
    graded_at=_TIME,
    submitted_by={"type": "object"},
)
