"""What a student gives, a file, a folder or a zip however it was packed, as one submission."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.grading.archive import MOST_ENTRIES, Archive
from sandbox import Submission, SubmissionError, clean
from sandbox.submission import EXPECTED, FOLDER_ENTRY

# Left behind by systems and editors, wherever they are: no part of anybody's work.
JUNK = re.compile(r"\..*|__MACOSX|__pycache__|.*\.pyc|Thumbs\.db|desktop\.ini", re.IGNORECASE | re.DOTALL)
_MOST_NAMED = 5  # files, in a sentence


class Intake(msgspec.Struct, frozen=True):
    """A submission, and what was left out of it."""

    submission: Submission
    left_out: tuple[str, ...] = ()  # safe to show


def read(path: Path, shown: str = "") -> Intake:
    """What is there; `shown` is how people know the place. Raises SubmissionError or ArchiveError.

    One Python file is understood wherever it lies, if it is the only one. Of several, the one on top is strategy.py.
    """
    shown = shown or str(path)
    try:
        if path.is_dir():
            return _of_folder(path, shown)
        if path.suffix.lower() == ".zip" and path.exists():
            return _of_zip(path, shown)
        return Intake(Submission.read(path))
    except SubmissionError as error:
        raise SubmissionError(str(error).replace(str(path), shown)) from None


def _of_zip(path: Path, shown: str) -> Intake:
    with tempfile.TemporaryDirectory(prefix="referee-") as temporary:
        place = Path(temporary, path.stem)
        place.mkdir()
        with Archive(path, shown) as archive:
            archive.unpack(archive.entries, place)
        try:
            return _of_folder(place, shown)
        except SubmissionError as error:
            raise SubmissionError(str(error).replace(str(place), shown)) from None


def _of_folder(folder: Path, shown: str) -> Intake:
    files = list(_files(folder, shown))
    sources = [file for file in files if file.endswith(".py")]
    if files == [FOLDER_ENTRY]:  # alone, it is the same submission as without a folder
        return Intake(Submission.read(_regular(folder / FOLDER_ENTRY)))
    if FOLDER_ENTRY in files:
        return Intake(Submission.read(folder))
    tops = {file.partition("/")[0] for file in sources}
    if len(sources) == 1 and os.path.basename(sources[0]) != FOLDER_ENTRY:
        others = tuple(clean(file, 100) for file in files if file != sources[0])
        return Intake(Submission.read(_regular(folder / sources[0])), others)
    if len(tops) == 1 and not tops & {*files}:
        (top,) = tops
        others = tuple(clean(file, 100) for file in files if not file.startswith(f"{top}/"))
        inner = _of_folder(folder / top, f"{shown}/{clean(top, 100)}")
        return msgspec.structs.replace(inner, left_out=(*others, *inner.left_out))
    if len(files) == 1 and files[0].lower().endswith(".zip"):
        return _of_zip(_regular(folder / files[0]), f"{shown}/{clean(files[0], 100)}")
    raise SubmissionError(f"{shown} {_misfit(sources)}; {EXPECTED}, or one Python file alone.")


def _misfit(sources: list[str]) -> str:
    if not sources:
        return "has no Python file in it"
    names = ", ".join(clean(name, 60) for name in sources[:_MOST_NAMED])
    more = f" and {len(sources) - _MOST_NAMED} more" if len(sources) > _MOST_NAMED else ""
    return f"has {len(sources)} Python files ({names}{more}), and none of them is {FOLDER_ENTRY} on top"


def _files(folder: Path, shown: str) -> Iterator[str]:
    """The paths in it, without what is nobody's work. A link is a file here, and refused when it is read."""
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not JUNK.fullmatch(name))
        linked = [name for name in folders if os.path.islink(os.path.join(place, name))]
        count += len(folders) + len(files)
        if count > MOST_ENTRIES:
            raise SubmissionError(f"{shown} holds over {MOST_ENTRIES:,} files; leave out what is not needed.")
        for name in sorted([*files, *linked]):
            if not JUNK.fullmatch(name):
                yield Path(place, name).relative_to(folder).as_posix()


def _regular(path: Path) -> Path:
    """Links are followed in what the user typed, never in what a student gave."""
    if path.is_symlink() or not path.is_file():
        where = clean(str(path), 4096)
        raise SubmissionError(f"{where} is a link or no file at all; put an ordinary file in its place.")
    return path
