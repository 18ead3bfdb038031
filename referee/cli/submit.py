"""`referee submit COURSE FILE --as STUDENT`, and a whole class at once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, Void, endings
from referee.cli.options import Chosen

if TYPE_CHECKING:
    from referee.admission import Admission
    from referee.grading.desk import Desk, Taken
    from referee.grading.intake import Intake
    from sandbox import Zygote

EPILOG = """
\b
Examples:
  referee submit autumn my_bot.py --as ann
  referee submit autumn work.zip --as 1234 --at 2026-11-30T12:00:00Z
  referee submit autumn --all submissions.zip
  referee submit autumn --all exported/ --map whose.csv
\b
--all understands exports of Canvas, Moodle, Gradescope and Blackboard, and files
or folders that are called after the student. --map has a line for each that is not:
  some_file.py,ann
  some_folder,bob,2026-11-30T12:00:00Z
"""


@click.command(epilog=EPILOG)
@click.argument("course")
@click.argument("file", required=False)
@click.option("--as", "student", metavar="STUDENT", help="Whose it is: a name, an id, a SIS id or a login.")
@click.option("--at", metavar="TIME", help="When it was handed in, in the course's time zone.  [default: now]")
@click.option("--all", "export", metavar="FOLDER|ZIP", help="A whole class, as a learning platform exports it.")
@click.option("--map", "table", metavar="CSV", help="For --all: file or folder, student and, if wanted, time.")
@click.option("--accept-missing-layers", is_flag=True, help="Run files you trust where the box is not whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(
    course: str,
    file: str | None,
    student: str | None,
    at: str | None,
    export: str | None,
    table: str | None,
    accept_missing_layers: bool,
    as_json: bool,
) -> None:
    """Hand in FILE, a .py file, a folder with strategy.py or a zip of either, to COURSE for a student.

    It is kept with its time, and checked just as `referee check` does; the same again is no new submission. Exits
    with 0 if it was admitted, 1 if it was kept and not admitted, 2 if it was not taken, and 3 when the referee or the
    machine is at fault. With --all: with 0 only if everybody's was taken and admitted, else with 1.
    """
    with endings():
        from referee.grading.desk import Desk
        from referee.grading.times import moment

        desk = Desk(Path(course))
        time = moment(at, desk.course.zone) if at is not None else datetime.now(UTC)
        chosen = conditions(desk, accept_missing_layers)
        if export is not None:
            if file is not None or student is not None:
                raise Mistake("--all takes in a whole class; leave out FILE and --as, or leave out --all.")
            from referee.cli.submit_all import take_all

            with boxes(desk, chosen) as zygote:
                code = take_all(desk, Path(export), Path(table) if table else None, time, zygote, as_json=as_json)
            sys.exit(code)
        if file is None or student is None or table is not None:
            raise Mistake("Give a FILE and --as STUDENT; or --all FOLDER|ZIP, perhaps with --map, for a whole class.")
        admitted = _take(desk, file, student, time, chosen, as_json)
    sys.exit(0 if admitted else 1)


def _take(desk: Desk, file: str, student: str, time: datetime, chosen: Chosen, as_json: bool) -> bool:
    import msgspec

    from referee.cli.check import lines, progress, report
    from referee.grading.intake import read
    from referee.referee import RefereeError
    from sandbox import BoxError

    whose = desk.roster.find(student)
    intake = read(Path(file))
    taken = desk.take(intake.submission, whose, time, file)
    if not as_json:
        click.echo(kept(desk, taken, intake))  # before the check: whatever becomes of that, this is so
        click.echo()
    try:
        with boxes(desk, chosen) as zygote:
            told = progress if sys.stderr.isatty() else lambda played, planned: None
            found = desk.check(taken.entry, zygote, told)
    except (RefereeError, BoxError) as error:
        raise Void(f"{str(error).rstrip('.')}. The submission is kept; hand it in again to have it checked.") from error
    if as_json:
        row = outcome(desk, taken, intake, found) | {"check": report(found, file, chosen)}
        click.echo(msgspec.json.encode(row))
    else:
        click.echo("\n".join(lines(found, file, chosen)))
    return found.admitted


def conditions(desk: Desk, accept_missing_layers: bool) -> Chosen:
    """What the course chose, as the options of `referee play` have it."""
    import msgspec

    course = desk.course
    settings = tuple(f"{key}={msgspec.json.encode(value).decode()}" for key, value in course.config.items())
    return Chosen(
        seed=course.seed,
        settings=settings,
        time=course.limits.time,
        wall=course.limits.wall,
        bank=course.limits.bank,
        setup_time=course.limits.setup_time,
        memory=course.limits.bytes,
        allow=course.allow,
        accept_missing_layers=accept_missing_layers,
    )


@contextlib.contextmanager
def boxes(desk: Desk, chosen: Chosen) -> Iterator[Callable[[], Zygote]]:
    """What makes boxes, itself made when it is first wanted: what was checked before needs none."""
    made: list[Zygote] = []
    with contextlib.ExitStack() as stack:

        def zygote() -> Zygote:
            if not made:
                made.append(stack.enter_context(chosen.zygote(desk.course.rules)))
            return made[0]

        yield zygote


def kept(desk: Desk, taken: Taken, intake: Intake) -> str:
    """What became of it, in a sentence or two."""
    from referee.grading.times import length, shown

    entry, zone = taken.entry, desk.course.zone
    title, when = entry.student.title, shown(entry.receipt.time, zone)
    if not taken.is_new:
        return f"{title} handed in the same on {when}; it is one submission, {entry.receipt.sha256[:12]}."
    late = f", late by {length(entry.late_by)}" if entry.late_by else ""
    rest = f" Left out: {', '.join(intake.left_out)}." if intake.left_out else ""
    return f"{title} handed in {entry.receipt.file} on {when}{late}; it is kept as {entry.receipt.sha256[:12]}.{rest}"


def outcome(desk: Desk, taken: Taken, intake: Intake, found: Admission) -> dict[str, Any]:
    """What became of it, for programs."""
    entry, receipt = taken.entry, taken.entry.receipt
    return {
        "student": entry.student.title,
        "id": entry.student.key,
        "sha256": receipt.sha256,
        "file": receipt.file,
        "time": receipt.time.astimezone(desk.course.zone),
        "late_s": entry.late_by.total_seconds(),
        "new": taken.is_new,
        "left_out": intake.left_out,
        "stored": str(desk.store.path(receipt.sha256)),
        "admitted": found.admitted,
        "problems": [str(problem.verdict) for problem in found.problems],
    }
