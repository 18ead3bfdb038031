"""What was marked and graded before, kept in a course's store: so that nothing is done twice, and grades stay."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import uuid
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from referee.grading.course import Course
from referee.grading.report import Mark
from referee.grading.rubric import Check, Memory, Speed
from referee.grading.store import opened_lock, remove_unfinished, written
from referee.timing.machine import Machine
from sandbox import Submission

_decode = msgspec.json.Decoder(tuple[str, Mark]).decode


class InUse(ValueError):
    """Somebody else is grading the same course; a sentence says what to do."""


class Standing(msgspec.Struct, frozen=True):
    """What a student had after a run."""

    earned: float
    fault: bool


class Ledger:
    """The marks of a course, each kept as soon as it is made, and what everybody had after the last run.

    Games are played again in every run, unless one that was interrupted is resumed. What was measured - speed and
    memory - is measured once for a submission, a check and a machine: it would never come out quite the same.
    """

    def __init__(self, folder: Path, course: Course) -> None:
        self._marks = folder / "marks"
        self._last = folder / "grades.json"
        self._course = course
        self._name = ""  # of the run, once it is begun

    @contextlib.contextmanager
    def run(self, *, resume: bool) -> Iterator[None]:
        """One run, or the last one gone on with; two at once would each take the other's marks for its own."""
        with opened_lock(self._marks) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # given back when the file is closed, by a kill too
            except BlockingIOError:
                raise InUse(f"{self._course.folder} is being graded by another process; wait for it.") from None
            remove_unfinished(self._marks)
            name = self._marks / "run"
            if not resume or not name.exists():
                written(name, uuid.uuid4().hex.encode())
            self._name = name.read_text()
            yield

    def mark(self, submission: Submission, check: Check) -> Mark | None:
        """As it was made before, if it need not be made again. One with a fault of ours is."""
        run, mark = self._kept(submission, check)
        if mark is None or mark.fault or (run != self._name and not isinstance(check, Speed | Memory)):
            return None
        return mark

    def last_mark(self, submission: Submission, check: Check) -> Mark | None:
        """Of any run; what is worth something while the check cannot be made."""
        return self._kept(submission, check)[1]

    def keep(self, submission: Submission, check: Check, mark: Mark) -> None:
        written(self._place(submission, check), msgspec.json.encode((self._name, mark)))

    def last(self) -> dict[str, Standing]:
        """By student."""
        try:
            return msgspec.json.decode(self._last.read_bytes(), type=dict[str, Standing])
        except (FileNotFoundError, msgspec.DecodeError):
            return {}

    def finish(self, standings: dict[str, Standing]) -> None:
        written(self._last, msgspec.json.format(msgspec.json.encode(self.last() | standings)))

    def _kept(self, submission: Submission, check: Check) -> tuple[str, Mark | None]:
        try:
            return _decode(self._place(submission, check).read_bytes())
        except (FileNotFoundError, msgspec.DecodeError):
            return "", None

    def _place(self, submission: Submission, check: Check) -> Path:
        course = self._course
        facts: list[Any] = [course.game, course.config, course.seed, course.limits, course.allow, version("referee")]
        facts += [submission.sha256, submission.entry, check]
        if isinstance(check, Speed | Memory):
            facts.append(Machine.this())
        return self._marks / f"{hashlib.sha256(msgspec.json.encode(facts, order='sorted')).hexdigest()[:32]}.json"
