"""`referee submissions COURSE`: what was handed in, how late, and what counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import endings

if TYPE_CHECKING:
    from referee.grading.desk import Desk
    from referee.grading.policy import Entry

EPILOG = """
\b
Examples:
  referee submissions autumn
  referee submissions autumn --student ann --json
"""
_SHORT = 12  # digits of a hash, for people


@click.command(epilog=EPILOG)
@click.argument("course")
@click.option("--student", metavar="STUDENT", help="Only this one's: a name, an id, a SIS id or a login.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(course: str, student: str | None, as_json: bool) -> None:
    """List what was handed in to COURSE: when, how late, whether it was admitted, and what counts.

    Of a student's submissions the last counts, or all of which the best will, as the course's policy says.
    """
    with endings():
        from pathlib import Path

        import msgspec

        from referee.grading.desk import Desk
        from referee.grading.policy import counting

        desk = Desk(Path(course))
        only = desk.roster.find(student) if student is not None else None
        entries = desk.entries(only)
        by_student: dict[str, list[Entry]] = {}
        for entry in entries:
            by_student.setdefault(entry.student.identity, []).append(entry)
        counts = [one for group in by_student.values() for one in counting(desk.course.policy.keep, group)]
        missing = [
            whose.title
            for whose in desk.roster.students
            if whose.identity not in by_student and (only is None or whose == only)
        ]
        rows = [row(desk, entry, entry in counts) for entry in entries]
        if as_json:
            click.echo(msgspec.json.encode({"submissions": rows, "missing": missing}))
            return
        for line in _table(desk, entries, counts):
            click.echo(line)
        if missing:
            click.echo(f"{'' if not entries else chr(10)}Nothing yet from: {', '.join(missing)}")


def row(desk: Desk, entry: Entry, counts: bool) -> dict[str, Any]:
    """One submission, as `--json` prints it."""
    receipt = entry.receipt
    return {
        "student": entry.student.title,
        "id": entry.student.key,
        "section": entry.student.section,
        "sha256": receipt.sha256,
        "file": receipt.file,
        "time": receipt.time.astimezone(desk.course.zone),
        "late_s": entry.late_by.total_seconds(),
        "admitted": entry.admitted,
        "problems": entry.problems,
        "counts": counts,
        "came_as": receipt.how,
        "stored": str(desk.store.path(receipt.sha256)),
    }


def _table(desk: Desk, entries: list[Entry], counts: list[Entry]) -> list[str]:
    from referee.grading.times import length, shown

    if not entries:
        return ["Nothing was handed in yet."]
    verdicts = {True: "admitted", False: "not admitted", None: "not checked"}
    cells = [("student", "handed in", "late by", "hash", "", "counts", "file")]
    for entry in entries:
        receipt = entry.receipt
        cells.append(
            (
                entry.student.title,
                shown(receipt.time, desk.course.zone),
                length(entry.late_by) if entry.late_by else "-",
                receipt.sha256[:_SHORT],
                verdicts[entry.admitted],
                "yes" if entry in counts else "no",
                receipt.file,
            )
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
