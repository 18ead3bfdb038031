"""Grades a class: every submission that counts, side by side, then the tournament of the class, then the sums."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from platform import python_version

import msgspec

from referee.admission import Admission
from referee.grading.course import Course
from referee.grading.desk import Desk
from referee.grading.examiner import Examined, Examiner, Paper, marked
from referee.grading.ledger import Ledger, Standing
from referee.grading.placing import Places, placed
from referee.grading.policy import Entry, counting, is_open, share
from referee.grading.report import Grade, Mark
from referee.grading.roster import RosterError, Student
from referee.grading.rubric import Check, Placing
from referee.grading.times import length
from referee.lane import Trade
from referee.lanes import Lanes, usable_cores
from sandbox import Ending, Submission

Told = Callable[[str], None]


class Work(msgspec.Struct, kw_only=True):
    """A submission under examination, for all who handed in the same."""

    submission: Submission
    marks: dict[int, Mark] = {}
    admission: Admission | None = None


class Change(msgspec.Struct, frozen=True):
    """Whose grade is another than after the last run."""

    student: str
    before: float
    after: float


class Grader:
    """One run of `referee grade` over a course."""

    def __init__(
        self,
        desk: Desk,
        *,
        jobs: int | None = None,
        resume: bool = False,
        accept_missing_layers: bool = False,
        told: Told = lambda text: None,
    ) -> None:
        self._desk = desk
        self._course = desk.course
        self._jobs = jobs
        self._accept = accept_missing_layers
        self._told = told
        self._resume = resume
        self._ledger = Ledger(desk.store.folder, desk.course)
        self.changes: list[Change] = []

    def grade(self, students: Sequence[Student] | None = None, *, only_failed: bool = False) -> list[Grade]:
        """The grades of these students, or of everybody, in order of their names."""
        with self._ledger.run(resume=self._resume or only_failed):  # what did not fail stands
            return self._graded(students, only_failed)

    def _graded(self, students: Sequence[Student] | None, only_failed: bool) -> list[Grade]:
        entries = self._counting()
        before = self._ledger.last()
        absent = [student for student in self._desk.roster.students if student.folder not in entries]
        chosen = entries
        if students is not None:
            wanted = {student.identity: student.title for student in students}
            chosen = {key: found for key, found in entries.items() if found[0].student.identity in wanted}
            absent = [student for student in absent if student.identity in wanted]
            known = {found[0].student.identity for found in chosen.values()} | {who.identity for who in absent}
            for nobody in wanted.keys() - known:
                raise RosterError(f"Nothing was handed in by {wanted[nobody]}; `referee submissions` lists what was.")
        if only_failed:
            chosen = {key: found for key, found in chosen.items() if key not in before or before[key].fault}
            absent = []
        works = self._examined([entry for found in chosen.values() for entry in found])
        places = self._placing(entries, works) if chosen else {}
        grades = [self._absent(student) for student in absent]
        for key, found in chosen.items():
            made = [self._grade(entry, works[_which(entry)], places, before.get(key)) for entry in found]
            grades.append(max(made, key=lambda grade: grade.earned))
        grades.sort(key=lambda grade: (grade.student.casefold(), grade.key))
        self.changes = [
            Change(grade.student, before[grade.key].earned, grade.earned)
            for grade in grades
            if grade.key in before and before[grade.key].earned != grade.earned
        ]
        with self._desk.store.locked():  # else whoever hands in meanwhile takes what is half written for left over
            self._ledger.finish({grade.key: Standing(grade.earned, bool(grade.fault)) for grade in grades})
        return grades

    def _counting(self) -> dict[str, list[Entry]]:
        by_student: dict[str, list[Entry]] = {}
        for entry in self._desk.entries():
            by_student.setdefault(entry.student.folder, []).append(entry)
        return {key: counting(self._course.policy.keep, found) for key, found in by_student.items()}

    def _examined(self, entries: Sequence[Entry]) -> dict[tuple[str, str], Work]:
        """Every submission once, whoever handed it in."""
        works: dict[tuple[str, str], Work] = {}
        for entry in entries:
            if _which(entry) not in works:
                submission = self._desk.store.submission(entry.receipt)
                works[_which(entry)] = Work(submission=submission, admission=self._desk.report(entry))
        examine(self._course, list(works.values()), self._ledger, self._jobs, self._accept, self._told)
        for entry in entries:
            self._desk.keep_report(entry, works[_which(entry)].admission)
        return works

    def _placing(self, entries: dict[str, list[Entry]], works: dict[tuple[str, str], Work]) -> Places:
        checks = [check for check in self._course.rubric.checks if isinstance(check, Placing)]
        if not checks:
            return {}
        # For a part of the class the others play too, with what counts of theirs.
        others = [entry for found in entries.values() for entry in found if _which(entry) not in works]
        everybody = works | self._examined(others)
        field: dict[str, Submission] = {}
        for key, found in entries.items():
            best = max(found, key=lambda entry: _sum(everybody[_which(entry)].marks.values()))
            work = everybody[_which(best)]
            if work.admission is not None and work.admission.admitted:
                field[key] = work.submission
        return {
            check.title: placed(
                self._course, check, field, self._desk.store.folder, self._jobs, self._accept, self._told
            )
            for check in checks
        }

    def _grade(self, entry: Entry, work: Work, places: Places, before: Standing | None) -> Grade:
        course = self._course
        marks = []
        for number, check in enumerate(course.rubric.checks):
            if isinstance(check, Placing):
                place = places[check.title].get(entry.student.folder)
                marks.append(_placing_mark(check, place, len(places[check.title]), work))
            else:
                marks.append(work.marks[number])
        part = share(course.deadline, entry.late_by)
        late = f"Handed in {length(entry.late_by)} late" if entry.late_by else ""
        grade = graded(course, work.submission, marks, student=entry.student)
        return msgspec.structs.replace(
            grade,
            share=part,
            late=f"{late}: {part:.0%} of the points are left." if late and part < 1 else late and f"{late}.",
            submitted=entry.receipt.time,
            kept=before.earned if before is not None else None,
            opened=self._opened(entry.student),
        )

    def _absent(self, student: Student) -> Grade:
        marks = [marked(check, 0.0, "Nothing was handed in.") for check in self._course.rubric.checks]
        grade = graded(self._course, None, marks, student=student)
        return msgspec.structs.replace(grade, loads=False, opened=self._opened(student))

    def _opened(self, student: Student) -> tuple[bool, ...]:
        now, due, published = datetime.now(UTC), self._desk.due(student), self._desk.store.published()
        checks = self._course.rubric.checks
        return tuple(is_open(check.visibility, now=now, due=due, published=published) for check in checks)


def examine(
    course: Course, works: Sequence[Work], ledger: Ledger | None, jobs: int | None, accept: bool, told: Told
) -> None:
    """Fill in the marks; those of a ledger that still hold are not made again. A fault of ours is in the mark."""
    checks = [(number, check) for number, check in enumerate(course.rubric.checks) if not isinstance(check, Placing)]
    papers: dict[int, Work] = {}
    todo: list[Paper] = []
    for work in works:
        work.marks = _known(work.submission, checks, ledger)
        missing = tuple(number for number, _ in checks if number not in work.marks)
        if missing or work.admission is None:
            todo.append(paper := Paper(submission=work.submission, checks=missing, admission=work.admission))
            papers[id(paper)] = work
    if not todo:
        return
    count = min(jobs or len(usable_cores()), len(todo))
    trade = Trade(functools.partial(Examiner, course.path, accept), Paper, Examined, ahead=1)
    with Lanes(trade, count) as lanes:
        for done, (paper, found) in enumerate(lanes.do(todo), 1):
            work = papers[id(paper)]
            for number in paper.checks:
                check = course.rubric.checks[number]
                mark = found.marks.get(number) or _unmade(work.submission, check, ledger, found.fault)
                work.marks[number] = mark
                if ledger is not None:
                    ledger.keep(work.submission, check, mark)
            work.admission = found.admission or work.admission
            told(f"{done} of {len(todo)} submissions examined")


def graded(course: Course, submission: Submission | None, marks: Sequence[Mark], *, student: Student) -> Grade:
    """The sum of it, for somebody in time, who may see what the course shows by now."""
    now = datetime.now(UTC)
    return Grade(
        student=student.title,
        key=student.folder,
        id=student.id,
        sis_id=student.sis_id,
        login=student.login,
        section=student.section,
        course=course.title or course.game,
        game=course.game,
        file=submission.entry if submission is not None else "",
        sha256=submission.sha256 if submission is not None else "",
        total=course.rubric.total,
        marks=tuple(marks),
        loads=not any(told.verdict == Ending.LOAD_ERROR for mark in marks for told in mark.feedback),
        opened=tuple(
            is_open(check.visibility, now=now, due=course.deadline.due, published=None)
            for check in course.rubric.checks
        ),
        seed=course.seed,
        versions={"referee": version("referee"), "python": python_version()},
    )


def graded_alone(course: Course, submission: Submission, accept_missing_layers: bool, told: Told) -> Grade:
    """One submission by a rubric, with nothing kept and no class: a hosted grader's way."""
    work = Work(submission=submission)
    examine(course, [work], None, 1, accept_missing_layers, told)
    grade = graded(
        course,
        submission,
        [work.marks.get(number) or marked(check, 0.0, "") for number, check in enumerate(course.rubric.checks)],
        student=Student(name=submission.name, title=submission.name),
    )
    return without_class(grade)


def without_class(grade: Grade) -> Grade:
    """A place in the class cannot be had alone, so it cannot be missed either."""
    kept = [number for number, mark in enumerate(grade.marks) if mark.kind != Placing.__struct_config__.tag]
    return msgspec.structs.replace(
        grade,
        marks=tuple(grade.marks[number] for number in kept),
        opened=tuple(grade.opened[number] for number in kept),
        total=sum(grade.marks[number].points for number in kept),
    )


_FAULT = "This check could not be made, through no fault of the submission."


def _unmade(submission: Submission, check: Check, ledger: Ledger | None, fault: str) -> Mark:
    """What stands in for a mark that could not be made: the last one, if this submission ever had it."""
    last = ledger.last_mark(submission, check) if ledger is not None else None
    return msgspec.structs.replace(last or marked(check, 0.0, _FAULT), fault=fault or "it was not examined")


def _known(submission: Submission, checks: Iterable[tuple[int, Check]], ledger: Ledger | None) -> dict[int, Mark]:
    if ledger is None:
        return {}
    found = ((number, ledger.mark(submission, check)) for number, check in checks)
    return {number: mark for number, mark in found if mark is not None}


def _which(entry: Entry) -> tuple[str, str]:
    return entry.receipt.sha256, entry.receipt.file


def _sum(marks: Iterable[Mark]) -> float:
    return sum(mark.earned for mark in marks)


def _placing_mark(check: Placing, place: int | None, students: int, work: Work) -> Mark:
    if work.admission is None:
        return marked(check, 0.0, _FAULT, fault="it was not examined")
    if place is None:
        return marked(check, 0.0, "It did not play in the tournament of the class: it is not admitted.")
    sentence = f"Place {place} of {students} in the tournament of the class."
    return marked(check, check.earned(place, students), sentence, figures={"place": place, "students": students})
