"""A zip from a stranger: judged by its table of contents, then read within limits, and only then put on the disk."""

from __future__ import annotations

import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import msgspec

from sandbox import clean
from sandbox.submission import LIMITS, MAX_FILES

MOST_UNPACKED = 2 * sum(LIMITS.values())  # bytes of one submission; what is left out of it also counts here
MOST_ENTRIES = 4 * MAX_FILES  # of one submission
_MOST_RATIO = 200  # ordinary source shrinks to a fifth, a list of zeros to a thousandth
_RATIO_FROM = 1 << 20  # bytes; below, nobody is harmed by any ratio
_CHUNK = 1 << 16
_ENTRY = b"PK\x01\x02"  # how each entry of the table of contents begins
_ENCRYPTED = 0x1
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # others may want gigabytes to unpack
_KINDS = {0, stat.S_IFREG, stat.S_IFDIR}  # 0: made on a system without such kinds


class ArchiveError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


class Entry(msgspec.Struct, frozen=True):
    """One thing in a zip."""

    path: str  # with "/", as it is written there
    info: zipfile.ZipInfo
    flaw: str = ""  # why it may not be unpacked; empty if it may


class Archive:
    """A zip file, open for reading."""

    def __init__(self, path: Path, shown: str, most: int = MOST_ENTRIES, size: int = MOST_UNPACKED) -> None:
        self.shown = shown
        try:
            if path.stat().st_size > size:
                raise ArchiveError(f"{shown} has over {size:,} bytes; leave out what is not needed to play.")
            # Before the table is read: a million entries would take their memory at once.
            if _marks(path) > most:
                raise ArchiveError(f"{shown} holds over {most:,} files; leave out what is not needed.")
            self._zip = zipfile.ZipFile(path)
        except OSError as error:
            raise ArchiveError(f"{shown} cannot be read: {error.strerror}.") from None
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            if isinstance(error, ArchiveError):
                raise
            raise ArchiveError(f"{shown} is no zip file, or a damaged one ({error}); zip it again.") from None
        self.entries = _judged(self._zip.infolist())

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *raised: object) -> None:
        self._zip.close()

    def unpack(self, entries: Iterable[Entry], folder: Path) -> None:
        """Put these, of one submission, into an empty folder under their own names; raises ArchiveError."""
        wanted = list(entries)
        for entry in wanted:
            if entry.flaw:
                raise ArchiveError(f"{self.shown} is not taken: {_name(entry.path)} {entry.flaw}.")
        size = sum(entry.info.file_size for entry in wanted)
        if size > MOST_UNPACKED or len(wanted) > MOST_ENTRIES:
            what = f"{len(wanted):,} files with {size:,} bytes; {MOST_ENTRIES:,} and {MOST_UNPACKED:,} are the most"
            raise ArchiveError(f"{self.shown} would unpack to {what}. Leave out what is not needed to play.")
        for entry in wanted:
            if not entry.info.is_dir():
                content = self._read(entry)
                place = folder / entry.path
                place.parent.mkdir(parents=True, exist_ok=True)
                with open(place, "xb") as file:
                    file.write(content)

    def _read(self, entry: Entry) -> bytes:
        """Never more than the table of contents says, whatever the data would unpack to."""
        content = bytearray()
        try:
            with self._zip.open(entry.info) as file:
                while chunk := file.read(_CHUNK):  # to read all at once would unpack all at once, and cut it then
                    content += chunk
            return bytes(content)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise ArchiveError(f"{_name(entry.path)} in {self.shown} is damaged ({error}); zip it again.") from None


def _marks(path: Path) -> int:
    """How many entries there are, or more."""
    count, before = 0, b""
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            count += (before + chunk).count(_ENTRY)
            before = chunk[-len(_ENTRY) + 1 :]
    return count


def _judged(infos: list[zipfile.ZipInfo]) -> list[Entry]:
    found: list[Entry] = []
    taken: dict[str, bool] = {}  # by what a file system that ignores case and accents' forms would call it; is a folder
    for info in infos:
        path = info.orig_filename
        folded = [_folded(part) for part in PurePosixPath(path).parts]
        flaw = _flaw(info, path)
        name = "/".join(folded)
        above = ["/".join(folded[:length]) for length in range(1, len(folded))]
        if not flaw and name in taken and not (taken[name] and info.is_dir()):
            flaw = "is there twice; names must differ in more than capitals"
        if not flaw and any(not taken.get(up, True) for up in above):
            flaw = "lies in something that is a file"
        taken.update(dict.fromkeys(above, True) | {name: info.is_dir()})
        found.append(Entry(path, info, flaw))
    return found


def _flaw(info: zipfile.ZipInfo, path: str) -> str:
    parts = path.removesuffix("/").split("/")
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return "has an absolute name; zip the folder itself"
    if "\\" in path or "\0" in path:
        return "has a backslash or a null character in its name; rename it"
    if any(part in ("", ".", "..") for part in parts):
        return "has a name that leads out of its folder; zip the folder itself"
    if any(len(part.encode("utf-8", "surrogatepass")) > 255 for part in parts):
        return "has a name of over 255 bytes; shorten it"
    if stat.S_IFMT(info.external_attr >> 16) not in _KINDS:
        return "is a link or a device; put an ordinary file in its place"
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted; zip it without a password"
    if info.compress_type not in _METHODS:
        return "is packed in an unusual way; make an ordinary zip"
    if info.file_size > _RATIO_FROM and info.file_size > _MOST_RATIO * max(1, info.compress_size):
        return f"would unpack to {info.file_size // max(1, info.compress_size):,} times its size, as a zip bomb does"
    return ""


def _folded(part: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", part).casefold())


def _name(path: str) -> str:
    return f"'{clean(path, 100)}'"
