"""A tournament's journal: SQLite, a row a match, and the source of truth; the records of the games lie beside it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import msgspec

from referee.referee import RefereeError
from referee.tournament.outcome import Kick, Outcome
from referee.tournament.spec import Spec

SCHEMA = 1
_SIGN = 0x52656665  # "Refe": application_id, in the file's header
_ROOM = 1 << 17  # bytes, more than a record has
_TABLES = """
CREATE TABLE spec (fingerprint TEXT NOT NULL, spec TEXT NOT NULL, finished TEXT);
CREATE TABLE matches (number INTEGER PRIMARY KEY, id TEXT NOT NULL, outcome TEXT NOT NULL);
CREATE TABLE calls (player TEXT, method TEXT, failure TEXT, PRIMARY KEY (player, method));
"""
_outcome = msgspec.json.Decoder(Outcome).decode
_kick = msgspec.json.Decoder(Kick | None).decode
_places = msgspec.json.Decoder(list[set[str]] | None).decode


class JournalError(ValueError):
    """What is wrong with a journal, in a sentence: what, where, what to do."""


class Journal:
    """Open for one tournament, whose process alone writes to it; `read` opens it just to look."""

    def __init__(self, path: Path, connection: sqlite3.Connection, spec: Spec, lock: int = -1) -> None:
        self.path = path
        self.spec = spec
        self._connection = connection
        self._lock = lock
        self._file = path.stat().st_ino

    @classmethod
    def open(cls, path: Path, spec: Spec) -> Journal:
        """Begin the journal of this tournament, or go on with it."""
        lock = _locked(path)
        try:
            connection = _connected(f"file:{_quoted(path)}?mode=rwc")
            try:
                found = _spec_in(path, connection)
                if found is not None and found.fingerprint != spec.fingerprint:
                    what = spec.difference(found)
                    raise JournalError(
                        f"The journal {path} is of another tournament: {what}. Name another --journal, "
                        "or repeat the command that began this one."
                    )
                # Only now: this changes the file, which is ours or empty.
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute("PRAGMA cache_size=-256")  # KiB: rows are added and seldom looked at
                if found is None:
                    connection.execute("BEGIN IMMEDIATE")
                    for statement in _TABLES.split(";"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id={_SIGN}")
                    connection.execute(f"PRAGMA user_version={SCHEMA}")
                    text = msgspec.json.encode(spec).decode()
                    connection.execute("INSERT INTO spec VALUES (?, ?, NULL)", (spec.fingerprint, text))
                    connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            _give_up(path, lock)
            raise JournalError(f"The journal {path} cannot be written: {error}.") from None
        except BaseException:
            _give_up(path, lock)
            raise
        return cls(path, connection, spec, lock)

    @classmethod
    def read(cls, path: Path) -> Journal:
        """To look at it, also while a tournament writes it."""
        if not path.is_file():
            raise JournalError(f"There is no journal {path}; `referee tournament` writes one.")
        try:
            # As one who may write: whoever may not leaves SQLite's own files behind.
            connection = _connected(f"file:{_quoted(path)}?mode=rw")
            try:
                connection.execute("PRAGMA query_only=1")
                spec = _spec_in(path, connection)
            except sqlite3.OperationalError:
                # In a folder that is not ours to write, a journal at rest can still be read as it is.
                connection.close()
                connection = _connected(f"file:{_quoted(path)}?mode=ro&immutable=1")
                spec = _spec_in(path, connection)
        except sqlite3.Error as error:
            raise JournalError(f"The journal {path} cannot be read: {error}.") from None
        if spec is None:
            raise JournalError(f"The journal {path} is empty: no tournament was begun in it.")
        return cls(path, connection, spec)

    def record(self, number: int) -> Path:
        return records_of(self.path) / f"{number:06}.jsonl"

    def add(self, identity: str, outcome: Outcome) -> bool:
        """False if that match is there already: nothing counts twice."""
        self._require_file()
        if outcome.void:
            self._require_room()
        row = (outcome.number, identity, msgspec.json.encode(outcome).decode())
        with _written(self.path):
            return self._connection.execute("INSERT OR IGNORE INTO matches VALUES (?, ?, ?)", row).rowcount == 1

    def _require_file(self) -> None:
        """SQLite would go on writing to a file that has no name any more, and nobody would ever find it."""
        try:
            is_there = self.path.stat().st_ino == self._file
        except OSError:
            is_there = False
        if not is_there:
            raise RefereeError(f"The journal {self.path} is gone, removed or replaced meanwhile.")

    def _require_room(self) -> None:
        """What fails because no record can be written is to be played later, and not void for good."""
        try:
            with tempfile.TemporaryFile(dir=records_of(self.path)) as probe:
                probe.write(bytes(_ROOM))
        except OSError as error:
            raise RefereeError(
                f"The records beside the journal {self.path} cannot be written any more: {error.strerror}."
            ) from None

    def ids(self, first: int, end: int) -> dict[int, str]:
        """The matches from the first to before the end that are there, with their ids."""
        found = "SELECT number, id FROM matches WHERE number >= ? AND number < ?"
        with _legible(self.path):
            return dict(self._connection.execute(found, (first, end)))

    def outcomes(self, first: int, end: int) -> Outcomes:
        return Outcomes(self.path, self._connection, first, end - first)

    def unbroken(self) -> list[Outcome]:
        """The outcomes from the first match to before the first that is missing: while lanes play, some are ahead."""
        return [outcome for number, (_, outcome) in enumerate(self) if outcome.number == number]

    def __iter__(self) -> Iterator[tuple[str, Outcome]]:
        with _legible(self.path):
            for identity, text in self._connection.execute("SELECT id, outcome FROM matches ORDER BY number"):
                yield identity, _outcome(text)

    def call(self, player: str, method: str, failure: Kick | None) -> None:
        """How a hook of the tournament's went for a player."""
        text = msgspec.json.encode(failure).decode()
        with _written(self.path):
            self._connection.execute("INSERT OR IGNORE INTO calls VALUES (?, ?, ?)", (player, method, text))

    def calls(self, method: str) -> dict[str, Kick | None]:
        found = "SELECT player, failure FROM calls WHERE method = ? ORDER BY rowid"
        with _legible(self.path):
            return {player: _kick(text) for player, text in self._connection.execute(found, (method,))}

    def finish(self, places: list[set[str]] | None) -> None:
        with _written(self.path):
            self._connection.execute("UPDATE spec SET finished = ?", (msgspec.json.encode(places).decode(),))

    @property
    def finished(self) -> bool:
        return self._connection.execute("SELECT finished FROM spec").fetchone()[0] is not None

    @property
    def places(self) -> list[set[str]] | None:
        """As the format decided them; None where points do, or where it is not over."""
        (text,) = self._connection.execute("SELECT finished FROM spec").fetchone()
        places: list[set[str]] | None = _places(text or "null")
        return places

    def close(self) -> None:
        self._connection.close()
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Outcomes(Sequence[Outcome]):
    """The outcomes of a stretch of matches, in order of number, read only where somebody looks."""

    def __init__(self, path: Path, connection: sqlite3.Connection, first: int, count: int) -> None:
        self._path = path
        self._connection = connection
        self._first = first
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Outcome]: ...
    def __getitem__(self, index: int | slice) -> Outcome | Sequence[Outcome]:
        if isinstance(index, slice):
            return list(self)[index]
        number = self._first + range(self._count)[index]
        with _legible(self._path):
            (text,) = self._connection.execute("SELECT outcome FROM matches WHERE number = ?", (number,)).fetchone()
            return _outcome(text)

    def __iter__(self) -> Iterator[Outcome]:
        found = "SELECT outcome FROM matches WHERE number >= ? AND number < ? ORDER BY number"
        with _legible(self._path):
            for (text,) in self._connection.execute(found, (self._first, self._first + self._count)):
                yield _outcome(text)


def records_of(path: Path) -> Path:
    """The folder with the records of a journal's matches; the same whatever links lead to the journal."""
    path = path.resolve()
    return path.with_name(path.name + ".records")


@contextlib.contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise RefereeError(f"The journal {path} cannot be written any more: {error}.") from None


@contextlib.contextmanager
def _legible(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, msgspec.DecodeError) as error:
        raise JournalError(f"The journal {path} is damaged: {error}. Name another --journal.") from None


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, isolation_level=None)


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(str(path.absolute()))


def _spec_in(path: Path, connection: sqlite3.Connection) -> Spec | None:
    """None in a file where nothing is yet."""
    try:
        (sign,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        raise JournalError(f"{path} is no journal of a tournament; name another file.") from None
    if not tables:
        return None
    if sign != _SIGN:
        raise JournalError(f"{path} is a database, but no journal of a tournament; name another file.")
    if version > SCHEMA:
        raise JournalError(
            f"The journal {path} was written by a newer referee (schema {version}; this one knows {SCHEMA}): "
            "upgrade this one, or name another --journal."
        )
    with _legible(path):
        (text,) = connection.execute("SELECT spec FROM spec").fetchone()
        return msgspec.json.decode(text, type=Spec)


def _locked(path: Path) -> int:
    """A hold on the folder of records, so that one process writes at a time; it ends with the process."""
    folder = records_of(path)
    if path.is_dir():
        raise JournalError(f"The journal {path} is a folder; name a file.")
    try:
        folder.mkdir(exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise JournalError(
            f"The journal {path} cannot be written ({error.strerror}): choose a folder that is there and yours."
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise JournalError(
            f"The journal {path} is in use by another process; wait for it, or name another --journal."
        ) from None
    return lock


def _give_up(path: Path, lock: int) -> None:
    with contextlib.suppress(OSError):
        records_of(path).rmdir()  # a journal that came to nothing leaves nothing; one with records keeps them
    os.close(lock)
