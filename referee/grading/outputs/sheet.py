"""What a reader may know of a grade, made safe to show: every format is made of this, so none shows more."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime

import msgspec

from referee.grading.feedback import RECORD
from referee.grading.report import Feedback, Grade, Mark
from referee.grading.rubric import Visibility
from sandbox import clean

_NAME = 200  # characters of a title, a file, a student
_SENTENCE = 3_000
_TEXT = 8_000  # of a traceback, a position, what was printed
_NOTES = 5  # for one check
_FILE = 8 << 20  # bytes of a record or a picture; half a one is none
_LIMITS = (20_000, 4_000, 800, 0)  # characters of what is told of one check, until it fits


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that went wrong; see `Feedback`."""

    sentence: str
    verdict: str
    file: str
    line: int | None
    frames: str
    position: str
    output: str
    times: int
    record: str  # the name of the file beside
    picture: str  # the same
    command: str

    @property
    def text(self) -> str:
        again = f" ({self.times} times)" if self.times > 1 else ""
        parts = [f"{self.sentence}{again}", self.frames]
        parts += ["The position:", self.position] if self.position else []
        parts += ["It printed:", self.output] if self.output else []
        parts += ["To see it again:", f"  {self.command}"] if self.command else []
        return "\n".join(dict.fromkeys(part.rstrip("\n") for part in parts if part))  # a sentence may be a heading


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """How one check went; see `Mark`."""

    title: str
    kind: str
    visibility: Visibility
    points: float
    earned: float
    sentence: str
    fault: str
    figures: dict[str, float]
    notes: tuple[Note, ...]

    @property
    def passed(self) -> bool:
        return not self.fault and self.earned >= self.points

    @property
    def text(self) -> str:
        """All of it, for people."""
        fault = f"This check could not be made, through no fault of the submission: {self.fault}" if self.fault else ""
        return "\n\n".join(part for part in (self.sentence, fault, *(note.text for note in self.notes)) if part)

    def cut(self, limit: int) -> str:
        return clean(self.text, limit, keep="\n\t") if limit else ""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A grade, as far as it is shown."""

    student: str
    course: str
    game: str
    file: str
    sha256: str
    submitted: datetime | None
    loads: bool
    earned: float
    total: float
    withheld: int
    faulty: bool
    remarks: tuple[str, ...]
    items: tuple[Item, ...]
    attached: dict[str, bytes]  # the files that notes name

    @property
    def score(self) -> str:
        return f"{number(self.earned)} of {number(self.total)} points"


def in_full(grade: Grade) -> Grade:
    """As staff see it."""
    return msgspec.structs.replace(grade, opened=(True,) * len(grade.marks))


def sheet(grade: Grade) -> Sheet:
    """What `grade.opened` lets through; of the rest, how many checks there are."""
    shelf = _Shelf(sum(bool(told.record) for mark in grade.visible for told in mark.feedback[:_NOTES]),
                   sum(bool(told.svg) for mark in grade.visible for told in mark.feedback[:_NOTES]))  # fmt: skip
    total = grade.total if not grade.withheld else grade.shown_total
    return Sheet(
        student=line(grade.student),
        course=line(grade.course),
        game=line(grade.game),
        file=line(grade.file),
        sha256=line(grade.sha256),
        submitted=grade.submitted,
        loads=grade.loads,
        earned=bounded(grade.shown, total),
        total=total,
        withheld=grade.withheld,
        faulty=bool(grade.fault),
        remarks=tuple(_remarks(grade)),
        items=tuple(_item(mark, shelf) for mark in grade.visible),
        attached=shelf.files,
    )


def line(text: str) -> str:
    """A name of somebody's, on one line."""
    return clean(text, _NAME)


def number(points: float) -> str:
    """Without an exponent or zeros that say nothing."""
    return f"{points:.4f}".rstrip("0").rstrip(".")


def bounded(points: float, most: float) -> float:
    return min(max(points, 0.0), most)


def fitting(made: Callable[[int], bytes], most: int) -> bytes:
    """The fullest that a platform takes: given how many characters may be told of each check."""
    content = b""
    for limit in _LIMITS:
        content = made(limit)
        if len(content) <= most:
            break
    return content


def outside(grade: Grade, *, whole: bool) -> str:
    """That the machine failed, and what becomes of the score; nothing of the check, which may be withheld."""
    if not grade.fault:
        return ""
    # The last good score is a sum over all checks: it is only named where the whole of them is shown.
    stands = f"the last good score, {number(grade.earned)}," if whole else "the last good score"
    then = f"{stands} stands" if grade.kept is not None else "it will be made again, and this is not the last word"
    return f"A check could not be made, through no fault of the submission; {then}."


def _remarks(grade: Grade) -> list[str]:
    hidden = grade.withheld
    shown = f"{hidden} more check{'s are' if hidden > 1 else ' is'} not shown." if hidden else ""
    return [remark for remark in (clean(grade.late, _SENTENCE), outside(grade, whole=not hidden), shown) if remark]


class _Shelf:
    """The files beside a result; one of its kind needs no number."""

    def __init__(self, records: int, pictures: int) -> None:
        self.files: dict[str, bytes] = {}
        self._many = {RECORD: records > 1, "position.svg": pictures > 1}
        self._last = dict.fromkeys(self._many, 0)

    def put(self, name: str, content: str) -> str:
        """The name it is kept by; none if there is nothing to keep."""
        encoded = content.encode("utf-8", "backslashreplace")
        if not encoded or len(encoded) > _FILE:
            return ""
        self._last[name] += 1
        stem, dot, kind = name.partition(".")
        kept = f"{stem}-{self._last[name]}{dot}{kind}" if self._many[name] else name
        self.files[kept] = encoded
        return kept


def _item(mark: Mark, shelf: _Shelf) -> Item:
    return Item(
        title=line(mark.title) or line(mark.kind),
        kind=line(mark.kind),
        visibility=mark.visibility,
        points=mark.points,
        earned=bounded(mark.earned, mark.points),
        sentence=clean(mark.sentence, _SENTENCE),
        fault=clean(mark.fault, _SENTENCE),
        figures={line(name): value for name, value in mark.figures.items() if math.isfinite(value)},
        notes=tuple(_note(told, shelf) for told in mark.feedback[:_NOTES]),
    )


def _note(told: Feedback, shelf: _Shelf) -> Note:
    record = shelf.put(RECORD, told.record)
    return Note(
        sentence=clean(told.sentence, _SENTENCE),
        verdict=line(told.verdict),
        file=line(told.file),
        line=told.line,
        frames=_block(told.frames),
        position=_block(told.position),
        output=_block(told.output),
        times=told.times,
        record=record,
        picture=shelf.put("position.svg", told.svg),
        command=clean(told.command.replace(RECORD, record, 1)) if record else "",
    )


def _block(text: str) -> str:
    return clean(text, _TEXT, keep="\n\t")
