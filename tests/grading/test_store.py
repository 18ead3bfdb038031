"""The store: whole after two at once, and after a kill at any moment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.grading.desk import Desk
from referee.grading.store import Receipt, Store, StoreError
from sandbox import Submission
from tests.grading.courses import HONEST, course

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)

# Hands in so many different files, saying "ready" first.
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from referee.grading.desk import Desk
from sandbox import Submission

place, student, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
desk = Desk(place)
folder = place.parent / f"work-{student}"
(folder / "data").mkdir(parents=True, exist_ok=True)
print("ready", flush=True)
for number in range(count):
    (folder / "strategy.py").write_text(f"# {number} of {student}")
    (folder / "data" / "table").write_bytes(bytes(20_000))
    taken = desk.take(Submission.read(folder), desk.roster.find(student), datetime.now(UTC), "work")
    print(taken.entry.receipt.sha256, flush=True)
"""


def writer(place: Path, student: str, count: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(place), student, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def receipt(submission: Submission, student: str = "ann") -> Receipt:
    return Receipt(student=student, sha256=submission.sha256, time=NOW, name=submission.name, file=submission.entry,
                   how="", noted=NOW)  # fmt: skip


def bot(tmp_path: Path, text: str = HONEST) -> Submission:
    (tmp_path / "bot.py").write_text(text)
    return Submission.read(tmp_path / "bot.py")


def test_what_is_kept_comes_back_as_it_was_handed_in(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (tmp_path / "work" / "data").mkdir(parents=True)
    (tmp_path / "work" / "strategy.py").write_text(HONEST)
    (tmp_path / "work" / "data" / "table").write_bytes(b"\0\1")
    for submission in (bot(tmp_path), Submission.read(tmp_path / "work")):
        with store.locked():
            store.put(submission)
            store.put(submission)
        assert store.submission(receipt(submission)) == submission
        assert Submission.read(store.path(submission.sha256)).sha256 == submission.sha256


def test_one_file_under_two_names_is_kept_once_and_keeps_both(tmp_path: Path) -> None:
    store, first = Store(tmp_path), bot(tmp_path)
    (tmp_path / "other.py").write_text(HONEST)
    second = Submission.read(tmp_path / "other.py")
    with store.locked():
        assert store.put(first) == store.put(second)
    assert [store.submission(receipt(one)).entry for one in (first, second)] == ["bot.py", "other.py"]


def test_a_file_that_was_changed_or_lost_is_told_and_never_graded(tmp_path: Path) -> None:
    store, submission = Store(tmp_path), bot(tmp_path)
    with store.locked():
        place = store.put(submission)
    place.write_text("changed")
    with pytest.raises(StoreError, match="was changed since it was handed in"):
        store.submission(receipt(submission))
    place.unlink()
    with pytest.raises(StoreError, match="is gone from the store"):
        store.submission(receipt(submission))


def test_a_line_cut_short_does_not_count_and_is_overwritten(tmp_path: Path) -> None:
    store, submission = Store(tmp_path), bot(tmp_path)
    with store.locked():
        for student in ("ann", "bob"):
            store.append(receipt(submission, student))
    log = store.folder / "log.jsonl"
    whole = log.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in (first, first + 1, len(whole) - 1):
        log.write_bytes(whole[:cut])
        assert [line.student for line in store.lines() if isinstance(line, Receipt)] == ["ann"]
        with store.locked():
            store.append(receipt(submission, "bob"))
        assert log.read_bytes() == whole


def test_a_damaged_line_is_told_with_its_number(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.locked():
        store.append(receipt(bot(tmp_path)))
    with open(store.folder / "log.jsonl", "a") as log:
        log.write("{}\n")
    with pytest.raises(StoreError, match=r"log\.jsonl:2: this line is damaged"):
        store.lines()


def test_publishing_is_remembered_and_undone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.published() is None
    with store.locked():
        store.publish(NOW)
        assert Store(tmp_path).published() == NOW
        store.publish(None)
    assert store.published() is None


def test_two_who_hand_in_at_once_lose_nothing(tmp_path: Path) -> None:
    place = course(tmp_path / "c")
    writers = [writer(place, student, 15) for student in ("ann", "bob")]
    said = [one.communicate(timeout=60)[0].split() for one in writers]
    assert [one.returncode for one in writers] == [0, 0]
    desk = Desk(place)
    for student, hashes in zip(("ann", "bob"), said, strict=True):
        entries = desk.entries(desk.roster.find(student))
        assert [entry.receipt.sha256 for entry in entries] == hashes[1:]
        assert all(desk.store.submission(entry.receipt) for entry in entries)


def test_one_limit_holds_for_two_who_hand_in_at_once(tmp_path: Path) -> None:
    place = course(tmp_path / "c", "[policy]\nper_hour = 5")
    writers = [writer(place, "ann", 5) for _ in range(2)]
    for one in writers:
        one.communicate(timeout=60)
    assert len(Desk(place).entries()) <= 5


def test_whoever_was_told_is_kept_whenever_the_writer_is_killed(tmp_path: Path) -> None:
    place = course(tmp_path / "c")
    for moment in range(8):
        killed = writer(place, f"student {moment}", 1000)
        assert killed.stdout is not None
        said = [killed.stdout.readline().strip() for _ in range(moment + 1)]
        os.kill(killed.pid, signal.SIGKILL)
        said += killed.stdout.read().split("\n")  # a hash that is cut short was not told
        killed.wait()
        killed.stdout.close()
        desk = Desk(place)
        kept = {entry.receipt.sha256 for entry in desk.entries()}
        assert kept >= {word for word in said if len(word) == 64}
        assert all(desk.store.submission(entry.receipt) for entry in desk.entries())
    after = writer(place, "after", 1)
    assert len(after.communicate(timeout=60)[0].split()) == 2
    left = [path.name for path in desk.store.folder.rglob("new-*")]
    assert left == []


def test_a_store_that_cannot_be_written_loses_nothing_silently(tmp_path: Path) -> None:
    place = course(tmp_path / "c")
    desk = Desk(place)
    with desk.store.locked():
        pass
    shutil.rmtree(desk.store.folder / "files")
    (desk.store.folder / "files").write_text("in the way")
    with pytest.raises(OSError, match="files"):
        desk.take(bot(tmp_path), desk.roster.find("ann"), NOW, "bot.py")
    assert desk.entries() == []
