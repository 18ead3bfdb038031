"""What a course's rules say of a submission: in time or late, too many, which one counts, and what may be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from referee.grading.course import Course, Deadline, Keep, Late
from referee.grading.roster import Student
from referee.grading.rubric import Visibility
from referee.grading.store import Receipt
from referee.grading.times import length, shown

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


class Refused(ValueError):
    """The rules of the course do not take this submission; a sentence says why."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission of one student."""

    student: Student
    receipt: Receipt
    due: datetime | None = None
    admitted: bool | None = None  # None: not checked yet
    problems: tuple[str, ...] = ()

    @property
    def late_by(self) -> timedelta:
        return max(timedelta(0), self.receipt.time - self.due) if self.due is not None else timedelta(0)


def share(deadline: Deadline, late_by: timedelta) -> float:
    """The part of the points that remains: each day that has begun costs."""
    if deadline.late is not Late.REDUCED or not late_by:
        return 1.0
    return max(0.0, 1.0 - deadline.percent_per_day / 100 * math.ceil(late_by / _DAY))


def require_acceptable(course: Course, new: Entry, earlier: Sequence[Entry]) -> None:
    """Raises Refused; `earlier` are the same student's other ones."""
    if new.due is not None and new.late_by and course.deadline.late is Late.REFUSED:
        late, until = length(new.late_by), shown(new.due, course.zone)
        raise Refused(f"{new.student.title}: this is late by {late} and is not taken; it was due {until}.")
    allowed = course.policy.per_hour
    if not allowed:
        return
    around = sorted([*(entry.receipt.time for entry in earlier), new.receipt.time])
    for first, last in zip(around, around[allowed:], strict=False):  # one more than is allowed, within the hour?
        if last - first < _HOUR and first <= new.receipt.time <= last:
            again = shown(first + _HOUR, course.zone)
            raise Refused(f"{new.student.title}: at most {allowed} an hour are taken; the next can come at {again}.")


def counting(keep: Keep, entries: Sequence[Entry]) -> list[Entry]:
    """Those of one student that can count: the last by its time, or all of them, of which the best will."""
    if keep is Keep.BEST:
        return list(entries)
    return sorted(entries, key=lambda entry: entry.receipt.time)[-1:]


def is_open(visibility: Visibility, *, now: datetime, due: datetime | None, published: datetime | None) -> bool:
    """Whether a student may see how such a check went."""
    match visibility:
        case Visibility.VISIBLE:
            return True
        case Visibility.AFTER_DUE:
            return due is None or now > due
        case Visibility.AFTER_PUBLISHED:
            return published is not None
        case Visibility.HIDDEN:
            return False
