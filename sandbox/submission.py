"""What a stranger handed in, read once, hashed, and from then on only bytes."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import msgspec

LIMITS = {"Python source": 1_000_000, "data": 16 * 1024 * 1024}  # bytes, all files of the kind together
MAX_FILES = 1_000  # and as many folders: a million empty ones take time as well
MAX_DEPTH = 16
MAX_PATH = 1_000  # bytes within the submission; the kernel takes 4,096 for the whole (PATH_MAX)
MAX_NAME = 40  # characters of a display name
FOLDER_ENTRY = "strategy.py"
EXPECTED = f"give a file whose name ends in .py, or a folder with {FOLDER_ENTRY}"

_LEFT_OUT = r"(?s)\..*|.*\.pyc|__pycache__"
# str.isprintable() lets these through, yet they draw nothing: a rival's name with one added looks the same.
_BLANK = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
# The machine's trouble, not the submission's: nobody may lose a game over it.
_HOST_TROUBLE = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}


class SubmissionError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


class Submission(msgspec.Struct, frozen=True):
    name: str  # for people: two submissions may share one
    entry: str  # the file that is run, as tracebacks name it
    files: dict[str, bytes]  # by path within the submission, with "/", sorted
    is_folder: bool
    sha256: str

    @property
    def source(self) -> bytes:
        return self.files[self.entry]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Submission:
        path = os.fspath(path)
        where = _shown(path)
        if not path:
            raise SubmissionError(f"The path is empty; {EXPECTED}.")
        if "\0" in path:
            raise SubmissionError(f"{where} cannot be a path, it has a null character; {EXPECTED}.")
        with _opened(path, where) as (descriptor, status):
            base = os.path.basename(os.path.abspath(path))
            if stat.S_ISDIR(status.st_mode):
                walk = _Walk(where)
                walk.folder(descriptor)
                files = dict(sorted(walk.files.items()))
                return cls(_display_name(base), FOLDER_ENTRY, files, True, _hash_of_folder(files))
            stem, suffix = os.path.splitext(base)
            if suffix != ".py":
                raise SubmissionError(f"{where} is not a Python file; {EXPECTED}.")
            entry = _shown(base)
            source = _content(descriptor, status, where, "Python source", LIMITS["Python source"])
            return cls(_display_name(stem), entry, {entry: source}, False, hashlib.sha256(source).hexdigest())

    def write_to(self, folder: str) -> None:
        """Copy it to a new folder that everybody can read, whatever our umask."""
        for name, content in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        for place, _, names in os.walk(folder):
            os.chmod(place, 0o755)
            for name in names:
                os.chmod(os.path.join(place, name), 0o644)


class _Walk:
    """One pass through a folder, with limits for the whole: many small files are no way around them."""

    def __init__(self, top: str) -> None:
        self.top = top.rstrip("/")
        self.left = dict(LIMITS)
        self.folders = 0
        self.files: dict[str, bytes] = {}

    def folder(self, descriptor: int, prefix: str = "", depth: int = 0) -> None:
        with os.scandir(descriptor) as found:
            wanted = (item.name for item in found if not re.fullmatch(_LEFT_OUT, item.name))
            names = sorted(islice(wanted, 2 * MAX_FILES + 1))  # among so many, one kind is over its limit
        # Before anything is read: who gave the wrong folder wants to hear this, not that a file is too large.
        if not prefix and FOLDER_ENTRY not in names and len(names) <= 2 * MAX_FILES:
            raise SubmissionError(f"The folder {self.top}/ has no {FOLDER_ENTRY}; {EXPECTED}.")
        for name in names:
            relative = prefix + os.fsencode(name).decode("utf-8", "surrogateescape")  # whatever the locale
            where = f"{self.top}/{_shown(relative)}"
            if len(relative.encode("utf-8", "surrogateescape")) > MAX_PATH:
                raise SubmissionError(f"{where[:200]}... has a path of over {MAX_PATH:,} bytes; shorten its names.")
            if _shown(relative) != relative:
                raise SubmissionError(f"{where} has characters in its name that cannot be shown; rename it.")
            with _opened(name, where, descriptor) as (inner, status):
                if stat.S_ISREG(status.st_mode):
                    kind = "Python source" if relative.endswith(".py") else "data"
                    self.files[relative] = _content(inner, status, where, kind, self.left[kind])
                    self.left[kind] -= len(self.files[relative])
                elif relative == FOLDER_ENTRY:
                    raise SubmissionError(f"{where} is a folder; it must be the file with the strategy.")
                elif depth == MAX_DEPTH:
                    raise SubmissionError(f"{where} is nested deeper than {MAX_DEPTH} folders; move it up.")
                else:
                    self.folders += 1
                    self.folder(inner, f"{relative}/", depth + 1)
            if max(len(self.files), self.folders) > MAX_FILES:
                raise SubmissionError(f"{self.top}/ holds over {MAX_FILES:,} files or folders; remove some.")


@contextmanager
def _opened(path: str, where: str, folder: int | None = None) -> Iterator[tuple[int, os.stat_result]]:
    """A regular file or a folder. Links are followed in the path the user typed, never inside a folder."""
    inside = folder is not None
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (os.O_NOFOLLOW if inside else 0)
    try:
        # This look keeps us from opening a device, which may act on it; the next one counts, after any swap.
        _refuse_other_kinds(os.stat(path, dir_fd=folder, follow_symlinks=not inside), where)
        descriptor = os.open(path, flags, dir_fd=folder)
        try:
            status = os.fstat(descriptor)
            _refuse_other_kinds(status, where)
            yield descriptor, status
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        what = "was removed while it was read; try again" if inside else "does not exist; check the spelling"
        raise SubmissionError(f"{where} {what}.") from None
    except PermissionError:
        raise SubmissionError(f"{where} may not be read; give yourself permission (chmod u+rX).") from None
    except UnicodeEncodeError:
        raise SubmissionError(f"{where} cannot be a path, it is not text; {EXPECTED}.") from None
    except OSError as error:
        if error.errno in _HOST_TROUBLE:
            raise
        raise SubmissionError(f"{where} cannot be read ({error.strerror}); {EXPECTED}.") from None


def _refuse_other_kinds(status: os.stat_result, where: str) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind not in (stat.S_IFREG, stat.S_IFDIR):
        known = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe (FIFO)", stat.S_IFSOCK: "a socket"}
        raise SubmissionError(f"{where} is {known.get(kind, 'a device')}; put an ordinary file in its place.")


def _content(descriptor: int, status: os.stat_result, where: str, kind: str, left: int) -> bytes:
    size, content = status.st_size, bytearray()
    if size <= left:
        # One byte more than allowed betrays a file that grew; the read of no bytes after it ends the loop.
        while chunk := os.read(descriptor, min(65_536, left + 1 - len(content))):
            content += chunk
        size = len(content)
    if size > left:
        allowed = f"{LIMITS[kind]:,} bytes of {kind} allowed in all"
        raise SubmissionError(f"{where}, with {size:,} bytes, goes over the {allowed}; make it smaller.")
    return bytes(content)


def _hash_of_folder(files: dict[str, bytes]) -> str:
    # Eight-byte lengths begin with NUL, which Python source may not hold: no single file that loads collides.
    parts = [part for path, content in files.items() for part in (path.encode(), content)]
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()


def _shown(text: str) -> str:
    """With everything escaped that would not draw as itself: controls, bidi marks, blanks, bad bytes."""
    hidden = {char for char in text if not char.isprintable() or re.match(_BLANK, char)}
    return "".join(char.encode("unicode_escape").decode() if char in hidden else char for char in text)


def _display_name(stem: str) -> str:
    name = " ".join(_shown(unicodedata.normalize("NFC", stem)).split())
    return name[:MAX_NAME].strip(" .") or "unnamed"
