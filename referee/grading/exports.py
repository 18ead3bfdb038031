"""A folder or a zip with the work of a whole class, taken apart into what each student handed in."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from datetime import datetime, tzinfo
from pathlib import Path

import msgspec

from referee.grading.archive import MOST_UNPACKED, Archive, ArchiveError
from referee.grading.intake import JUNK, Intake, read
from referee.grading.platforms import METADATA, Handin, gradescope, is_of_a_platform, understood
from referee.grading.roster import RosterError, table
from referee.grading.times import moment
from sandbox import SubmissionError, clean
from sandbox.submission import FOLDER_ENTRY

_MOST_ENTRIES = 100_000
_MOST_BYTES = 4 << 30


class Export:
    """What was exported. `strays` are names that lead nowhere, and cannot be anybody's."""

    def __init__(self, path: Path) -> None:
        self._folder = path
        self._prefix = ""
        self._archive: Archive | None = None
        if not path.is_dir():
            if not path.exists():
                raise ArchiveError(f"{path} does not exist; check the spelling.")
            self._archive = Archive(path, str(path), _MOST_ENTRIES, _MOST_BYTES)
        entries = self._archive.entries if self._archive is not None else []
        self.strays = [clean(entry.path, 100) for entry in entries if not _is_plain(entry.path)]
        self._entries = [entry for entry in entries if _is_plain(entry.path)]
        while wrapper := self._wrapper():
            self._prefix += f"{wrapper}/"

    def __enter__(self) -> Export:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._archive is not None:
            self._archive.__exit__(*raised)

    def handins(self, given: dict[str, tuple[str, datetime | None]], zone: tzinfo) -> list[Handin]:
        """Whose is what, by a map from names to students where one is given, else as the platforms write it."""
        metadata = self._metadata()
        found: dict[tuple[str, ...], Handin] = {}
        given = {path.removeprefix(self._prefix): whose for path, whose in given.items()}
        for name in self.names():
            if name in given:
                student, time = given[name]
                each = [Handin(names=(student,), parts={name: name}, time=time)]
            else:
                each = list(understood(name, metadata, zone))
            for handin in each:
                before = found.get(handin.names)
                if before is not None:
                    handin = msgspec.structs.replace(handin, parts=before.parts | handin.parts)
                found[handin.names] = handin
        return list(found.values())

    def absent(self, given: Iterable[str]) -> list[str]:
        """Those of a map that are not here."""
        return sorted({path.removeprefix(self._prefix) for path in given} - {*self.names()})

    def names(self) -> list[str]:
        """What lies on top, without what is nobody's work."""
        return sorted(name for name in self._tops() if not JUNK.fullmatch(name) and name != METADATA)

    def read(self, handin: Handin) -> Intake:
        """The submission; raises SubmissionError or ArchiveError."""
        with tempfile.TemporaryDirectory(prefix="referee-") as temporary:
            places = [self._fetched(name, Path(temporary, str(number))) for number, name in enumerate(handin.parts)]
            if len(places) == 1 and places[0].is_dir():
                return read(places[0], handin.shown)
            together = Path(temporary, "together")
            together.mkdir()
            for place, called in zip(places, handin.parts.values(), strict=True):
                if place.is_dir() or (together / called).exists():
                    raise SubmissionError(f"{handin.shown}: these do not go together; keep one of them.")
                if place.stat().st_size > MOST_UNPACKED:
                    raise SubmissionError(f"{clean(called, 100)} has over {MOST_UNPACKED:,} bytes; make it smaller.")
                shutil.copyfile(place, together / called)
            if len(places) == 1:
                return read(together / called, handin.shown)
            return read(together, handin.shown)

    def _fetched(self, name: str, temporary: Path) -> Path:
        """Where it lies on the disk, after it was judged."""
        if self._archive is None:
            place = self._folder / self._prefix / name
            if place.is_symlink() or not (place.is_dir() or place.is_file()):
                raise SubmissionError(f"{clean(name, 100)} is a link or a device; put an ordinary file in its place.")
            return place
        temporary.mkdir()
        top = self._prefix + name
        self._archive.unpack([entry for entry in self._entries if _is_in(entry.path, top)], temporary)
        return temporary / top

    def _tops(self) -> set[str]:
        if self._archive is None:
            place = self._folder / self._prefix
            return {item.name for item in place.iterdir()} if place.is_dir() else set()
        inside = (entry.path.removeprefix(self._prefix) for entry in self._entries if _is_in(entry.path, self._prefix))
        return {path.partition("/")[0] for path in inside if path}

    def _wrapper(self) -> str:
        """The one folder that everything lies in, if it is not a student's."""
        names = self.names()
        if len(names) != 1 or METADATA in self._tops():
            return ""
        (name,) = names
        if is_of_a_platform(name):
            return ""
        outside, self._prefix = self._prefix, f"{self._prefix}{name}/"
        inside = self._tops()
        several = sum(is_of_a_platform(inner) or self._may_be_work(inner) for inner in self.names()) > 1
        self._prefix = outside
        return name if METADATA in inside or (several and FOLDER_ENTRY not in inside) else ""

    def _may_be_work(self, name: str) -> bool:
        if name.lower().endswith((".py", ".zip")):
            return True
        if self._archive is None:
            return (self._folder / self._prefix / name).is_dir()
        return any(entry.path.startswith(f"{self._prefix}{name}/") for entry in self._entries)

    def _metadata(self) -> dict[str, Handin]:
        if METADATA not in self._tops():
            return {}
        with tempfile.TemporaryDirectory(prefix="referee-") as temporary:
            text = self._fetched(METADATA, Path(temporary, "0")).read_text("utf-8", "replace")
        return {handin.shown: handin for handin in gradescope(text)}


def mapped(path: Path, zone: tzinfo) -> dict[str, tuple[str, datetime | None]]:
    """A CSV of file or folder, student and, if wanted, time; a first line may name the columns."""
    found: dict[str, tuple[str, datetime | None]] = {}
    for number, (line, row) in enumerate(table(path)):
        cells = [cell.strip() for cell in row]
        if number == 0 and len(cells) > 1 and cells[1].casefold() in ("student", "name", "id"):
            continue
        if len(cells) < 2 or not cells[0] or not cells[1]:
            raise RosterError(f"{path}:{line}: write a file or folder, a comma, and the student.")
        try:
            time = moment(cells[2], zone) if len(cells) > 2 and cells[2] else None
        except ValueError as error:
            raise RosterError(f"{path}:{line}: {error}") from None
        found[cells[0].rstrip("/")] = (cells[1], time)
    return found


def _is_plain(path: str) -> bool:
    """Whether it can be said whose it is."""
    parts = path.removesuffix("/").split("/")
    return not (path.startswith("/") or "\\" in path or "\0" in path or {"", ".", ".."} & {*parts})


def _is_in(path: str, top: str) -> bool:
    return path == top or path.startswith(top if top.endswith("/") or not top else f"{top}/")
