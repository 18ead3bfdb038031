"""Grades to write out: a student's with something of everything, and text that strangers might hand in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from referee.grading.report import Feedback, Grade, Mark
from referee.grading.rubric import Visibility

HOSTILE = (
    "=cmd|'/c calc'!A0 \x1b[31mred\x1b[0m \u202eevil\u202c ]]> </script><script>alert(1)</script> "
    "\n::set-env name=PATH::/tmp\r\n##[set-env name=A]b\n::stop-commands::x\n</pre></details># head\n"
    "![x](http://a.example/x.png) [a](javascript:b) `code` | cell | <b>bold</b> %0A::error::no \x00\ud800\ufffe\u2028"
)

FAILURE = Feedback(
    sentence="it raises an exception in movement, turn 3 (bot.py, line 7): KeyError: 0",
    verdict="exception",
    file="bot.py",
    line=7,
    frames='  File "bot.py", line 7, in movement\n    return {}[0]',
    position="1 2 3\n4 5 6",
    svg='<svg xmlns="http://www.w3.org/2000/svg"/>',
    output="thinking\n",
    record='{"kind":"questions"}\n',
    command="referee reproduce questions.jsonl bot.py",
    times=2,
)


def mark(title: str = "admitted", earned: float = 4, points: float = 10, **more: Any) -> Mark:
    given = {"kind": "admitted", "visibility": Visibility.VISIBLE, "sentence": f"It is {title}."}
    return Mark(title=title, points=points, earned=earned, **(given | more))


def grade(*marks: Mark, **more: Any) -> Grade:
    """Of a student who sees what is visible at once."""
    made = marks or (mark(), mark("beats random", 2.5, 5, kind="beats", feedback=(FAILURE,), figures={"rate": 0.6}))
    given: dict[str, Any] = {
        "student": "Smith, Ann",
        "key": "Smith, Ann",
        "id": "17",
        "sis_id": "S17",
        "login": "ann",
        "section": "A",
        "course": "Autumn",
        "game": "fish",
        "file": "bot.py",
        "sha256": "ab" * 32,
        "submitted": datetime(2026, 3, 1, 12, tzinfo=UTC),
        "total": sum(each.points for each in made),
        "opened": tuple(each.visibility is Visibility.VISIBLE for each in made),
    }
    return Grade(marks=made, **(given | more))


def hidden(title: str = "secret", earned: float = 3, points: float = 7, **more: Any) -> Mark:
    return mark(title, earned, points, **({"visibility": Visibility.HIDDEN} | more))
