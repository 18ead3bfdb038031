"""What was handed in: files by their hash, and a log of who gave what when; whole after a kill at any moment."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, TypeAlias

import msgspec

from referee.admission import Admission
from sandbox import Submission, SubmissionError

FOLDER = "store"
_UNFINISHED = "new-"  # how the names of what is not whole yet begin


class StoreError(ValueError):
    """The store is not as we left it: what, where, what to do."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True, tag="received"):
    """Somebody handed something in."""

    student: str  # see `Student.key`
    sha256: str
    time: datetime  # of the submission, which an export may have brought later
    name: str  # of the submission, for people
    file: str  # the one that is run, as its author calls it
    how: str  # the path it came by
    noted: datetime  # when this line was written


class Checked(msgspec.Struct, frozen=True, kw_only=True, tag="checked"):
    """What came out when it was checked under some conditions; the whole report is kept beside the log."""

    sha256: str
    file: str
    conditions: str
    admitted: bool
    problems: tuple[str, ...]
    noted: datetime


Line: TypeAlias = Receipt | Checked


class Store:
    """The store of the course in a folder. Whoever writes holds `locked()`."""

    def __init__(self, course: Path) -> None:
        self.folder = course / FOLDER
        self._files = self.folder / "files"
        self._reports = self.folder / "checks"
        self._log = self.folder / "log.jsonl"
        self._published = self.folder / "published"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes meanwhile; what a killed process left unfinished is removed first."""
        with opened_lock(self.folder) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # given back when the file is closed, by a kill too
            for folder in (self.folder, self._files, self._reports):
                folder.mkdir(mode=0o700, exist_ok=True)
                remove_unfinished(folder)
            yield

    def lines(self) -> list[Line]:
        """The log; a last line that a kill cut short was never told to anybody and does not count."""
        try:
            content = self._log.read_bytes()
        except FileNotFoundError:
            return []
        whole = content[: content.rfind(b"\n") + 1]
        found: list[Line] = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                found.append(msgspec.json.decode(line, type=Line))
            except msgspec.DecodeError as error:
                why = f"this line is damaged ({error}); restore it or take it out"
                raise StoreError(f"{self._log}:{number}: {why}.") from None
        return found

    def append(self, line: Line) -> None:
        """Put a line on record, for good once this returns."""
        descriptor = os.open(self._log, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with open(descriptor, "r+b") as log:
            content = log.read()
            log.truncate(content.rfind(b"\n") + 1)
            log.seek(0, os.SEEK_END)
            log.write(msgspec.json.encode(line) + b"\n")
            log.flush()
            os.fsync(log.fileno())
        _settle(self.folder)

    def put(self, submission: Submission) -> Path:
        """Keep it; what is here already is not written again."""
        place = self._place(submission)
        if not place.exists():
            new = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._files))
            laid_out(submission, new / "whole", "strategy.py")
            os.rename(new / "whole" if submission.is_folder else new / "whole" / "strategy.py", place)
            _settle(self._files)
            shutil.rmtree(new)
        return place

    def path(self, sha256: str) -> Path:
        """Where it is kept: a file, or a folder with strategy.py; `referee play` takes either."""
        file, folder = self._files / f"{sha256}.py", self._files / sha256
        return folder if folder.is_dir() else file

    def submission(self, receipt: Receipt) -> Submission:
        """As its author handed it in, with its own name."""
        try:
            kept = Submission.read(self.path(receipt.sha256))
        except SubmissionError as error:
            raise StoreError(f"A submission of {receipt.student} is gone from the store: {error}") from None
        if kept.sha256 != receipt.sha256:
            raise StoreError(f"{self.path(receipt.sha256)} was changed since it was handed in; restore it.")
        files = kept.files if kept.is_folder else {receipt.file: kept.source}
        return msgspec.structs.replace(kept, name=receipt.name, entry=receipt.file, files=files)

    def report(self, sha256: str, conditions: str) -> Admission | None:
        """What came out under these conditions, if it was checked under them."""
        try:
            return msgspec.json.decode(self._report(sha256, conditions).read_bytes(), type=Admission)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def keep_report(self, found: Admission, conditions: str) -> None:
        written(self._report(found.sha256, conditions), msgspec.json.encode(found))

    def published(self) -> datetime | None:
        """Since when results that wait for it may be seen."""
        try:
            return datetime.fromisoformat(self._published.read_text().strip())
        except FileNotFoundError:
            return None
        except ValueError:
            raise StoreError(f"{self._published} holds no time; run `referee publish` again.") from None

    def publish(self, time: datetime | None) -> None:
        if time is None:
            self._published.unlink(missing_ok=True)
            _settle(self.folder)
        else:
            written(self._published, f"{time.isoformat()}\n".encode())

    def _place(self, submission: Submission) -> Path:
        return self._files / (submission.sha256 if submission.is_folder else f"{submission.sha256}.py")

    def _report(self, sha256: str, conditions: str) -> Path:
        return self._reports / f"{sha256}-{conditions}.json"


def laid_out(submission: Submission, folder: Path, entry: str) -> Path:
    """Its files in a new folder, safe on the disk; a single file is called `entry`. Gives what `read` would take."""
    folders = {folder}
    folder.mkdir()
    for name, content in submission.files.items():
        place = folder / (name if submission.is_folder else entry)
        place.parent.mkdir(parents=True, exist_ok=True)
        folders.update(folder / up for up in place.relative_to(folder).parents)
        with open(place, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    for each in folders:
        _settle(each)
    return folder if submission.is_folder else folder / entry


def written(path: Path, content: bytes, mode: int = 0o600) -> None:
    """All of it or nothing, and on the disk."""
    descriptor, new = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
    with open(descriptor, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.rename(new, path)
    _settle(path.parent)


def opened_lock(folder: Path) -> IO[str]:
    """The file whose lock is that of a folder of the store, which is made if need be."""
    try:
        for each in (folder.parent, folder):
            each.mkdir(mode=0o700, exist_ok=True)
        return open(folder / "lock", "w")
    except OSError as error:
        why = f"{folder} cannot be written ({error.strerror})"
        raise StoreError(f"{why}; a course must be in a folder of yours.") from None


def remove_unfinished(folder: Path) -> None:
    """What a killed process left behind; only for whoever alone writes here."""
    for left in folder.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()


def _settle(folder: Path) -> None:
    """A name is only on the disk once its folder is."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
