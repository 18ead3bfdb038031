"""`referee submit COURSE --all FOLDER|ZIP`: the work of a whole class, a line for each student."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from referee.grading.archive import ArchiveError
from referee.grading.exports import Export, mapped
from referee.grading.platforms import Handin
from referee.grading.policy import Refused
from referee.grading.roster import RosterError, Student
from referee.referee import RefereeError
from sandbox import SubmissionError

if TYPE_CHECKING:
    from referee.grading.desk import Desk
    from sandbox import Zygote


def take_all(
    desk: Desk, path: Path, table: Path | None, time: datetime, zygote: Callable[[], Zygote], *, as_json: bool
) -> int:
    """Take in everybody's, whatever is wrong with somebody's; the exit code."""
    from referee.cli.submit import kept, outcome

    given = mapped(table, desk.course.zone) if table is not None else {}
    taken: list[dict[str, Any]] = []
    refused: list[dict[str, str]] = []
    unknown: list[dict[str, str]] = []
    faults = 0

    def say(line: str) -> None:
        if not as_json:
            click.echo(line)

    with Export(path) as export:
        unknown += [{"file": name, "why": "its name leads out of the zip"} for name in export.strays]
        unknown += [{"file": name, "why": f"{table} names it, and it is not there"} for name in export.absent(given)]
        for handin in export.handins(given, desk.course.zone):
            try:
                student = _student(desk, handin)
            except RosterError as error:
                unknown.append({"file": handin.shown, "why": str(error)})
                continue
            try:
                intake = export.read(handin)
                entry = desk.take(intake.submission, student, handin.time or time, handin.shown)
            except (SubmissionError, ArchiveError, Refused) as error:
                refused.append({"student": student.title, "file": handin.shown, "why": str(error)})
                say(f"{student.title}: not taken. {error}")
                continue
            try:
                found = desk.check(entry.entry, zygote)
            except RefereeError as error:
                faults += 1
                say(f"{kept(desk, entry, intake)} It could not be checked, and nobody is to blame: {error}")
                continue
            taken.append(outcome(desk, entry, intake, found) | {"marked_late": handin.marked_late})
            verdict = "Admitted." if found.admitted else f"Not admitted: {found.problems[0].verdict}"
            doubt = " The platform marks it late: --at or --map can say when it came." if _doubtful(handin) else ""
            say(f"{kept(desk, entry, intake)} {verdict}{doubt}")
    have = {entry.student.identity for entry in desk.entries()}
    missing = [student.title for student in desk.roster.students if student.identity not in have]
    if as_json:
        click.echo(
            msgspec.json.encode({"taken": taken, "refused": refused, "unknown": unknown, "missing": missing})
        )
    for stranger in unknown:
        say(f"Nobody's: {stranger['file']}. {stranger['why']}")
    if missing:
        say(f"Nothing yet from: {', '.join(missing)}")
    admitted = sum(row["admitted"] for row in taken)
    say(f"{len(taken) + faults} taken, {admitted} of them admitted; {len(refused)} not taken, {len(unknown)} nobody's.")
    if faults:
        return 3
    return 0 if admitted == len(taken) and not refused and not unknown else 1


def _student(desk: Desk, handin: Handin) -> Student:
    """The first whom any of the names means; where anybody may hand in, the last name is the one people use."""
    for name in handin.names[:-1] if not desk.roster.is_open else ():
        try:
            return desk.roster.find(name)
        except RosterError:
            continue
    return desk.roster.find(handin.names[-1])


def _doubtful(handin: Handin) -> bool:
    return handin.marked_late and handin.time is None
