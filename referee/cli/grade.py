"""`referee grade COURSE`: what every submission is worth, and why; `referee grade RUBRIC.toml FILE.py` for one file."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.endings import Mistake, endings

if TYPE_CHECKING:
    from referee.grading.course import Course
    from referee.grading.desk import Desk
    from referee.grading.report import Grade

EPILOG = """
\b
Examples:
  referee grade courses/fish
  referee grade courses/fish --student ann --out feedback
  referee grade courses/fish --resume --jobs 4 --format gradescope --format canvas
  referee grade rubric.toml my_bot.py --out results
  referee grade --bundle gradescope courses/fish --out autograder.zip
"""


@click.command(epilog=EPILOG)
@click.argument("course", type=click.Path())
@click.argument("file", required=False, type=click.Path())
@click.option("--student", "names", multiple=True, metavar="S", help="Only this one; may be given again.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="J", help="Side by side.  [default: one a core]")
@click.option("--resume", is_flag=True, help="Go on with a run that was interrupted.")
@click.option("--only-failed", is_flag=True, help="Only those whose last run failed through no fault of theirs.")
@click.option("--out", metavar="DIR", help="Where results are written.  [default: COURSE/grades]")
@click.option("--format", "formats", multiple=True, metavar="F", help="Of results; may be given again.  [default: all]")
@click.option("--bundle", metavar="PLATFORM", help="Write what this platform runs to grade (gradescope) into --out.")
@click.option("--accept-missing-layers", is_flag=True, help="Run files you trust where the box is not whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(
    course: str,
    file: str | None,
    names: tuple[str, ...],
    jobs: int | None,
    resume: bool,
    only_failed: bool,
    out: str | None,
    formats: tuple[str, ...],
    bundle: str | None,
    accept_missing_layers: bool,
    as_json: bool,
) -> None:
    """Grade the submissions of COURSE by its rubric, or one FILE by a rubric with no store.

    Students' faults cost points; ours never do: a check that the machine fails is made again, and if it stays so the
    student keeps the last good score. Exits with 0 when everybody is graded, 2 for a mistake in the command, 3 when
    a check could not be made.
    """
    with endings("The same command with --resume goes on from there."):
        from referee.grading import outputs
        from referee.grading.desk import Desk

        if bundle is not None:
            _bundled(bundle, course, out)
            return
        chosen = outputs.chosen(formats)
        if file is not None:
            if names or resume or only_failed:
                raise Mistake("--student, --resume and --only-failed are for a course; one FILE has no store.")
            place = _ready(Path(out or "results"))
            grades = [_one(course, file, accept_missing_layers)]
        else:
            desk = Desk(Path(course))
            place = _ready(Path(out) if out is not None else desk.course.folder / "grades")
            grades = _class(desk, names, jobs, resume, only_failed, accept_missing_layers)
        # Of a class of one, the files of the class would tell the student what is hidden.
        everybody = not (file or names or only_failed)
        outputs.write(grades, place, chosen, staff=file is None, everybody=everybody)
        _tell(grades, place, as_json, hosted=file is not None)
    if any(grade.fault for grade in grades):
        sys.exit(3)


def _ready(place: Path) -> Path:
    """Before anybody is graded: an hour later it would be a pity."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return place
    except OSError as error:
        raise Mistake(f"Results cannot be written to {place} ({error.strerror}); choose another --out.") from None


def _class(
    desk: Desk, names: tuple[str, ...], jobs: int | None, resume: bool, only_failed: bool, accept: bool
) -> list[Grade]:
    from referee.grading.grader import Grader

    _require_checks(desk.course)
    students = [desk.roster.find(name) for name in names] if names else None
    with Progress() as told:
        grader = Grader(desk, jobs=jobs, resume=resume, accept_missing_layers=accept, told=told)
        grades = grader.grade(students, only_failed=only_failed)
    for change in grader.changes:
        difference = f"{change.after - change.before:+g}"
        click.echo(f"{change.student}: {change.before:g} -> {change.after:g} ({difference})", err=True)
    return grades


def _one(rubric: str, file: str, accept: bool) -> Grade:
    from referee.grading import intake
    from referee.grading.course import read
    from referee.grading.grader import graded_alone

    course = read(Path(rubric))
    _require_checks(course)
    submission = intake.read(Path(file)).submission
    with Progress() as told:
        return graded_alone(course, submission, accept, told)


def _require_checks(course: Course) -> None:
    if not course.rubric.checks:
        raise Mistake(f"{course.path} has no [[rubric.check]], so there is nothing to grade by; `referee course new` "
                      "writes one that has some.")  # fmt: skip


class Progress:
    """A line that is written over on a terminal, and lines now and then elsewhere."""

    def __enter__(self) -> Progress:
        self._live = sys.stderr.isatty()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            click.echo("\r\033[K", nl=False, err=True)

    def __call__(self, text: str) -> None:
        click.echo(f"\r\033[K{text}" if self._live else text, nl=not self._live, err=True)


def _tell(grades: list[Grade], place: Path, as_json: bool, hosted: bool) -> None:
    """On a hosted grader students may read what is printed: the sum is that of what they may see."""
    import msgspec

    if as_json:
        rows = [
            {
                "student": grade.student,
                "earned": grade.earned,
                "total": grade.total,
                "file": grade.file,
                "sha256": grade.sha256,
                "fault": grade.fault,
                "marks": [
                    {"title": mark.title, "kind": mark.kind, "earned": mark.earned, "points": mark.points,
                     "sentence": mark.sentence, "fault": mark.fault} for mark in grade.marks
                ],
            }
            for grade in grades
        ]  # fmt: skip
        click.echo(msgspec.json.encode({"grades": rows, "out": str(place)}))
        return
    width = max((len(grade.student) for grade in grades), default=0)
    for grade in grades:
        note = f"  our fault, kept: {grade.fault}" if grade.fault else f"  {grade.late}" if grade.late else ""
        earned, total = (grade.shown, grade.shown_total) if hosted else (grade.earned, grade.total)
        more = f"  {grade.withheld} more not shown" if hosted and grade.withheld else ""
        click.echo(f"{grade.student:<{width}}  {earned:>8g} of {total:g}{note}{more}")
    click.echo(f"\n{len(grades)} graded; results are in {place}.")


def _bundled(platform: str, course: str, out: str | None) -> None:
    from referee.grading.bundle import PLATFORMS, write

    if platform not in PLATFORMS:
        raise Mistake(f"--bundle {platform}: the platforms are {', '.join(PLATFORMS)}.")
    if out is None:
        raise Mistake("--bundle needs --out, the .zip to write.")
    write(platform, Path(course), Path(out))
    click.echo(f"Written: {out}. Upload it as the autograder.")
