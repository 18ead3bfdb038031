"""What a submission earned and why: the values that every grade, feedback and output format is made of."""

from __future__ import annotations

from datetime import datetime

import msgspec

from referee.grading.rubric import Visibility


class Feedback(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that went wrong, so that its author can act on it. What a stranger wrote is data, and bounded."""

    sentence: str  # what happened, for people
    verdict: str = ""  # the word of its Ending; empty where nobody was kicked
    file: str = ""
    line: int | None = None
    frames: str = ""  # the author's own frames of the traceback
    position: str = ""  # the state it failed on, drawn as text
    svg: str = ""  # the same, as a picture
    output: str = ""  # what it printed
    record: str = ""  # JSON lines: the game, cut down to the author's own questions
    command: str = ""  # what reproduces it, given the record beside it
    times: int = 1  # it happened


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What one check gave."""

    title: str
    kind: str
    points: float  # that could be had
    earned: float
    visibility: Visibility
    sentence: str  # the result, for people
    feedback: tuple[Feedback, ...] = ()
    figures: dict[str, float] = {}  # measured: games, rate, ms, mb, place ...
    fault: str = ""  # ours or the machine's: the check could not be made, and costs nothing


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """What one submission of one student is worth."""

    student: str  # the name people know
    key: str  # safe as the name of a folder
    course: str
    game: str
    file: str
    sha256: str
    total: float
    marks: tuple[Mark, ...]
    loads: bool = True
    share: float = 1.0  # of the points that is left after lateness
    late: str = ""  # a sentence, if it was late
    submitted: datetime | None = None
    kept: float | None = None  # the last good score, which stands while there is a fault of ours
    id: str = ""  # of the student, as the learning platform knows it
    sis_id: str = ""
    login: str = ""
    section: str = ""
    opened: tuple[bool, ...] = ()  # for each mark, whether the student may see it now
    seed: int = 0
    versions: dict[str, str] = {}

    @property
    def fault(self) -> str:
        return next((mark.fault for mark in self.marks if mark.fault), "")

    @property
    def earned(self) -> float:
        """Points after lateness; a fault of ours never lowers them."""
        earned = round(self.share * sum(mark.earned for mark in self.marks), 4)
        # The last good score may be one of a rubric that had more points.
        return max(min(self.kept, self.total), earned) if self.fault and self.kept is not None else earned

    @property
    def visible(self) -> tuple[Mark, ...]:
        """What the student may see."""
        return tuple(mark for mark, opened in zip(self.marks, self.opened, strict=True) if opened)

    @property
    def withheld(self) -> int:
        """How many checks there are besides; nothing else of them is told."""
        return len(self.marks) - len(self.visible)

    @property
    def shown(self) -> float:
        """The points that the student may see: of open checks only, since the rest would follow from the sum."""
        if not self.withheld:
            return self.earned
        return round(self.share * sum(mark.earned for mark in self.visible), 4)

    @property
    def shown_total(self) -> float:
        return sum(mark.points for mark in self.visible)
