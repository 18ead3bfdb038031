"""Where submissions are taken in: a course, its class and its store, together."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import msgspec

from referee.admission import Admission, examine
from referee.grading.course import Course, read
from referee.grading.located import Located
from referee.grading.policy import Entry, require_acceptable
from referee.grading.roster import Roster, RosterError, Student
from referee.grading.store import Checked, Receipt, Store, laid_out
from sandbox import Submission, Zygote


class Taken(msgspec.Struct, frozen=True):
    """What became of a submission: its entry, which may be one that was there before."""

    entry: Entry
    is_new: bool


class Desk:
    """What the commands of a course work with."""

    def __init__(self, course: Path) -> None:
        self.course: Course = read(course)
        self.roster = Roster.of(self.course.folder)
        self.store = Store(self.course.folder)
        self._extensions: dict[str, datetime] = {}
        for name, until in self.course.deadline.extensions.items():
            try:
                self._extensions[self.roster.find(name).identity] = until
            except RosterError as error:
                raise Located(self.course.path).error(str(error), "deadline", "extensions", name) from None

    def due(self, student: Student) -> datetime | None:
        """Until when this student may hand in."""
        return self._extensions.get(student.identity, self.course.deadline.due)

    def entries(self, student: Student | None = None) -> list[Entry]:
        """Everything that was handed in, by student and by time; the same again, right after itself, is nothing new."""
        lines = self.store.lines()
        checked = {(line.sha256, line.file): line for line in lines if isinstance(line, Checked)}
        found: list[Entry] = []
        receipts = [line for line in lines if isinstance(line, Receipt)]
        students = {receipt.student: self.roster.known(receipt.student) for receipt in receipts}
        # Where anybody may hand in, Ann and ann are one, called as at first.
        people = {whose.identity: whose for whose in reversed(students.values())}
        for receipt in receipts:
            whose = people[students[receipt.student].identity]
            if student is None or whose.identity == student.identity:
                check = checked.get((receipt.sha256, receipt.file))
                found.append(
                    Entry(
                        student=whose,
                        receipt=receipt,
                        due=self.due(whose),
                        admitted=check.admitted if check else None,
                        problems=check.problems if check else (),
                    )
                )
        found.sort(key=lambda entry: (entry.student.title.casefold(), entry.student.key, entry.receipt.time))
        return [entry for before, entry in zip([None, *found], found, strict=False) if not _repeats(before, entry)]

    def take(self, submission: Submission, student: Student, time: datetime, how: str) -> Taken:
        """Keep it, if the rules allow; raises Refused."""
        with self.store.locked():
            earlier = self.entries(student)
            new = Entry(
                student=student,
                receipt=Receipt(
                    student=student.key,
                    sha256=submission.sha256,
                    time=time,
                    name=submission.name,
                    file=submission.entry,
                    how=how,
                    noted=datetime.now(UTC),
                ),
                due=self.due(student),
            )
            before = [entry for entry in earlier if entry.receipt.time <= time]
            if before and _repeats(before[-1], new):
                return Taken(before[-1], is_new=False)
            require_acceptable(self.course, new, earlier)
            self.store.put(submission)
            self.store.append(new.receipt)
        return Taken(new, is_new=True)

    def check(
        self,
        entry: Entry,
        zygote: Callable[[], Zygote],
        told: Callable[[int, int], None] = lambda played, planned: None,
    ) -> Admission:
        """Whether it is admitted, as `referee check` judges; what was found before under the same conditions holds.

        Raises RefereeError.
        """
        receipt, conditions = entry.receipt, self._conditions(entry.receipt.file)
        found = self.store.report(receipt.sha256, conditions)
        if found is None:
            found = self._examined(self.store.submission(receipt), zygote(), told)
        elif entry.admitted is found.admitted:
            return found
        self._keep(entry, found)
        return found

    def report(self, entry: Entry) -> Admission | None:
        """What a check under the conditions of today has found, if there was one."""
        return self.store.report(entry.receipt.sha256, self._conditions(entry.receipt.file))

    def keep_report(self, entry: Entry, found: Admission | None) -> None:
        """What another way of examining it has found, if that is new."""
        before = self.report(entry)
        if found is not None and (before is None or before.admitted is not found.admitted):
            self._keep(entry, found)

    def _keep(self, entry: Entry, found: Admission) -> None:
        receipt, conditions = entry.receipt, self._conditions(entry.receipt.file)
        with self.store.locked():
            self.store.keep_report(found, conditions)
            self.store.append(
                Checked(
                    sha256=receipt.sha256,
                    file=receipt.file,
                    conditions=conditions,
                    admitted=found.admitted,
                    problems=tuple(str(problem.verdict) for problem in found.problems),
                    noted=datetime.now(UTC),
                )
            )

    def _examined(self, submission: Submission, zygote: Zygote, told: Callable[[int, int], None]) -> Admission:
        course = self.course
        with tempfile.TemporaryDirectory(prefix="referee-") as temporary:
            path = laid_out(submission, Path(temporary, "submission"), submission.entry)
            found = examine(
                course.rules,
                str(path),
                config=course.settings,
                seed=course.seed,
                terms=course.terms,
                zygote=zygote,
                told=told,
            )
        # The commands that are told lead to what is kept, which stays.
        kept = os.path.join(".", self.store.path(submission.sha256))
        again = {str(path): kept, os.path.join(".", path): kept}
        problems = []
        for problem in found.problems:
            players = tuple(again.get(player, player) for player in problem.trial.players)
            trial = msgspec.structs.replace(problem.trial, players=players)
            problems.append(msgspec.structs.replace(problem, trial=trial))
        return msgspec.structs.replace(found, problems=tuple(problems))

    def _conditions(self, file: str) -> str:
        """What a check depends on beside the submission, as a name."""
        course = self.course
        facts = (course.game, course.config, course.seed, course.limits, course.allow, file, version("referee"))
        return hashlib.sha256(msgspec.json.encode(facts, order="sorted")).hexdigest()[:16]


def _repeats(before: Entry | None, entry: Entry) -> bool:
    if before is None or before.student.identity != entry.student.identity:
        return False
    return before.receipt.sha256 == entry.receipt.sha256
