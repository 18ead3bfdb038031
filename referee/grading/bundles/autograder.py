"""What a Gradescope bundle runs for each submission: grades it, and whatever happens leaves a results.json behind."""

from __future__ import annotations

import sys
import traceback
from datetime import datetime
from pathlib import Path

import msgspec

from referee.grading import intake, outputs
from referee.grading.archive import ArchiveError
from referee.grading.course import FILE, read
from referee.grading.examiner import marked
from referee.grading.grader import graded, graded_alone, without_class
from referee.grading.report import Grade
from referee.grading.roster import Student
from referee.grading.store import written
from sandbox import SubmissionError

COURSE = "course"  # the folder of the bundle with course.toml and what it names
CUT_SHORT = "The grader did not come to its end: it ran out of time or memory, or could not start. See its output."
_NAME = "your submission"  # for the student, who does not know where the platform puts it


class _Results(msgspec.Struct):
    score: float | None = None


class _Previous(msgspec.Struct):
    submission_time: datetime
    results: _Results | None = None


class _Metadata(msgspec.Struct):
    """submission_metadata.json, as far as it matters here."""

    previous_submissions: tuple[_Previous, ...] = ()


def main() -> None:
    base = Path(sys.argv[1])
    place = base / "results" / "results.json"
    kept = last_score(base / "submission_metadata.json")
    # In case that we are killed from here on: by the kernel, or by `timeout`.
    written(place, unfinished(CUT_SHORT, kept))
    written(place, results(base, kept))


def results(base: Path, kept: float | None) -> bytes:
    """What is to stand in results.json; `kept` is the last good score."""
    try:
        grade = _graded(base / "source" / COURSE / FILE, base / "submission")
    except Exception as error:  # ours, whatever it is: what students may get wrong is part of a grade
        traceback.print_exc()
        return unfinished(f"{type(error).__name__}: {error}", kept)
    if grade.fault:
        print(f"Not graded, through no fault of the submission: {grade.fault}")
        return unfinished(grade.fault, kept)
    return outputs.render("gradescope", grade)["results.json"]


def unfinished(why: str, kept: float | None) -> bytes:
    """The result of a fault of ours. Without a score to keep it has none: the platform then gives no points at all
    and calls it a failure of the autograder, where a zero would count.
    """
    stands = "Your last score stands until then." if kept is not None else "It has no score until then."
    found = {
        "output": "This submission could not be graded, through no fault of yours. "
        f"Your instructors can see why, and have it graded again. {stands}",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        # Instructors see hidden tests, students do not.
        "tests": [{"name": "Why there is no grade", "output": why, "output_format": "text", "visibility": "hidden"}],
        "extra_data": {"fault": why},
    }
    return msgspec.json.encode({"score": kept} | found if kept is not None else found)


def last_score(metadata: Path) -> float | None:
    """That of the latest submission before this one whose results have a score; those of a fault may have none."""
    try:
        found = msgspec.json.decode(metadata.read_bytes(), type=_Metadata, strict=False)
    except (OSError, msgspec.MsgspecError) as error:
        print(f"There is no telling the last score: {error}")
        return None
    scores = [
        (before.submission_time.timestamp(), before.results.score)
        for before in found.previous_submissions
        if before.results is not None and before.results.score is not None
    ]
    return max(scores)[1] if scores else None


def _graded(rubric: Path, folder: Path) -> Grade:
    course = read(rubric)
    try:
        submission = intake.read(folder, _NAME).submission
    except (SubmissionError, ArchiveError) as error:
        marks = [marked(check, 0.0, str(error)) for check in course.rubric.checks]
        grade = graded(course, None, marks, student=Student(name=_NAME))
        grade = msgspec.structs.replace(grade, loads=False)
    else:
        grade = graded_alone(course, submission, False, print)
    return without_class(grade)


if __name__ == "__main__":
    main()
