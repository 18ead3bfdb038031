"""Late, too many, which counts, and what may be seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.grading.course import Deadline, Keep, Late
from referee.grading.desk import Desk
from referee.grading.located import TomlError
from referee.grading.policy import Refused, counting, is_open, share
from referee.grading.rubric import Visibility
from sandbox import Submission
from tests.grading.courses import HONEST, course

DUE = datetime(2026, 12, 1, 12, tzinfo=UTC)


def desk(tmp_path: Path, *more: str) -> Desk:
    return Desk(course(tmp_path / "c", *more))


def take(desk: Desk, tmp_path: Path, student: str, minutes: float, text: str = "") -> bool:
    """Hand something in so many minutes after the due date; whether it was new."""
    path = tmp_path / "bot.py"
    path.write_text(f"{HONEST}# {text or minutes}\n")
    time = DUE + timedelta(minutes=minutes)
    return desk.take(Submission.read(path), desk.roster.find(student), time, "bot.py").is_new


def minutes(desk: Desk, student: str) -> list[float]:
    entries = desk.entries(desk.roster.find(student))
    return [(entry.receipt.time - DUE).total_seconds() / 60 for entry in entries]


DEADLINE = "[deadline]\ndue = 2026-12-01T12:00:00Z\n"


def test_late_ones_are_refused_and_not_kept(tmp_path: Path) -> None:
    at = desk(tmp_path, DEADLINE)
    assert take(at, tmp_path, "ann", 0)
    with pytest.raises(Refused, match=r"ann: this is late by 1 min and is not taken; it was due 2026-12-01 12:00"):
        take(at, tmp_path, "ann", 1)
    assert minutes(at, "ann") == [0]
    assert len(list((at.store.folder / "files").iterdir())) == 1


def test_an_extension_is_one_students_only(tmp_path: Path) -> None:
    at = desk(tmp_path, DEADLINE, "[deadline.extensions]\nANN = 2026-12-02T12:00:00Z")
    assert take(at, tmp_path, "ann", 60)
    with pytest.raises(Refused):
        take(at, tmp_path, "bob", 60)
    assert at.entries()[0].late_by == timedelta(0)


def test_an_extension_for_nobody_is_told_with_its_line(tmp_path: Path) -> None:
    place = course(tmp_path / "c", DEADLINE, "[deadline.extensions]\nanne = 2026-12-02T12:00:00Z")
    (place / "roster.csv").write_text("name\nann\n")
    with pytest.raises(TomlError, match=r"course\.toml:17: 'anne' is nobody in roster\.csv; did you mean ann"):
        Desk(place)


def test_accepted_late_ones_are_marked(tmp_path: Path) -> None:
    at = desk(tmp_path, DEADLINE, 'late = "accepted"')
    assert take(at, tmp_path, "ann", 90)
    (entry,) = at.entries()
    assert entry.late_by == timedelta(minutes=90)
    assert share(at.course.deadline, entry.late_by) == 1.0


@pytest.mark.parametrize(
    ("late", "left"), [(0, 1.0), (1, 0.7), (86400, 0.7), (86401, 0.4), (3 * 86400, 0.1), (4 * 86400, 0.0)]
)
def test_each_day_that_has_begun_costs(late: float, left: float) -> None:
    deadline = Deadline(late=Late.REDUCED, percent_per_day=30)
    assert share(deadline, timedelta(seconds=late)) == pytest.approx(left)


def test_too_many_within_an_hour_are_refused_by_their_time(tmp_path: Path) -> None:
    at = desk(tmp_path, "[policy]\nper_hour = 2")
    assert take(at, tmp_path, "ann", 0)
    assert take(at, tmp_path, "ann", 30)
    with pytest.raises(Refused, match=r"at most 2 an hour are taken; the next can come at 2026-12-01 13:00:00 UTC"):
        take(at, tmp_path, "ann", 59.9)
    with pytest.raises(Refused):  # brought in afterwards: it would have been one of three in an hour
        take(at, tmp_path, "ann", -20)
    assert not take(at, tmp_path, "ann", 45, text="30")  # the same again is none
    assert take(at, tmp_path, "bob", 59.9)
    assert take(at, tmp_path, "ann", 60)
    assert take(at, tmp_path, "ann", 90)
    assert take(at, tmp_path, "ann", -30)


def test_the_last_by_its_time_counts_whenever_it_came_in(tmp_path: Path) -> None:
    at = desk(tmp_path)
    for minute in (10, 30, 20):
        take(at, tmp_path, "ann", minute)
    assert minutes(at, "ann") == [10, 20, 30]
    assert counting(Keep.LAST, at.entries()) == [at.entries()[-1]]
    assert counting(Keep.BEST, at.entries()) == at.entries()


def test_the_same_again_is_one_submission_and_an_older_one_again_is_the_last(tmp_path: Path) -> None:
    at = desk(tmp_path)
    assert take(at, tmp_path, "ann", 1, "a")
    assert not take(at, tmp_path, "Ann", 2, "a")
    assert take(at, tmp_path, "ann", 3, "b")
    assert take(at, tmp_path, "ann", 4, "a")
    assert take(at, tmp_path, "bob", 4, "a")
    assert minutes(at, "ann") == [1, 3, 4]
    assert len(list((at.store.folder / "files").iterdir())) == 2
    assert take(at, tmp_path, "ann", 0, "a")  # it was there before, as it turns out
    assert minutes(at, "ann") == [0, 3, 4]


def test_submissions_stay_a_students_when_a_roster_comes_or_a_name_is_corrected(tmp_path: Path) -> None:
    at = desk(tmp_path)
    take(at, tmp_path, "s1", 0)
    for name in ("An Smith", "Ann Smith"):
        (at.course.folder / "roster.csv").write_text(f"name,id,SIS id\n{name},1,s1\n")
        at = Desk(at.course.folder)
        assert take(at, tmp_path, name, 1 if name == "An Smith" else 2)
    assert [entry.student.title for entry in at.entries()] == ["Ann Smith"] * 3


def test_what_waits_is_opened_by_the_date_or_by_publishing() -> None:
    now, later = DUE, DUE + timedelta(seconds=1)
    for visibility, states in {
        Visibility.VISIBLE: (True, True, True),
        Visibility.AFTER_DUE: (False, True, False),
        Visibility.AFTER_PUBLISHED: (False, False, True),
        Visibility.HIDDEN: (False, False, False),
    }.items():
        assert states == (
            is_open(visibility, now=now, due=DUE, published=None),
            is_open(visibility, now=later, due=DUE, published=None),
            is_open(visibility, now=now, due=DUE, published=now),
        )
