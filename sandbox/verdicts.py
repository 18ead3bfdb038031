"""The ways a stranger can fail: one typed ending each, in words its author can act on."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterable

import msgspec

from sandbox.limits import Usage


class Ending(enum.StrEnum):
    """One name a way to fail; the values are the words used in records and reports."""

    ILLEGAL_MOVE = "illegal-move"
    EXCEPTION = "exception"
    LOAD_ERROR = "load-error"
    CPU_TIMEOUT = "cpu-timeout"
    WALL_TIMEOUT = "wall-timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output-limit"
    CRASH = "crash"
    EXIT = "exit"
    PROTOCOL = "protocol"
    REFEREE_ERROR = "referee-error"  # never a player's fault


class Frame(msgspec.Struct, frozen=True):
    """One line of a traceback, in the student's own file."""

    file: str
    line: int
    function: str
    source: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Why a stranger was shown out."""

    ending: Ending
    detail: str  # one sentence
    method: str = ""  # the call it failed in; empty while loading
    file: str = ""
    line: int = 0  # 0: no line of the student's is known
    traceback: tuple[Frame, ...] = ()  # the student's frames only, outermost first

    @classmethod
    def of(cls, ending: Ending, detail: str, method: str, frames: tuple[Frame, ...] = ()) -> Verdict:
        """A verdict that points at the innermost of the student's frames, if there are any."""
        last = frames[-1] if frames else Frame("", 0, "")
        return cls(ending=ending, detail=detail, method=method, file=last.file, line=last.line, traceback=frames)

    def __str__(self) -> str:
        where = f" ({self.file}, line {self.line})" if self.line else ""
        return f"{self.ending}: {self.detail}{where}"

    def explain(self) -> str:
        """The verdict with its traceback, for the student."""
        lines = [str(self)]
        for frame in self.traceback:
            where = f", in {frame.function}" if frame.function else ""  # a syntax error is in none
            lines.append(f"  {frame.file}, line {frame.line}{where}")
            if frame.source:
                lines.append(f"    {frame.source}")
        return "\n".join(lines)


class Misconduct(Exception):
    """Raised by a call that a stranger failed; carries the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict
        # Of a file that did not load, which leaves no worker to look at.
        self.usage = Usage(0.0, 0.0, 0, 0)
        self.output = ""


# Cc: controls (ANSI escapes start with one); Cf: bidi marks, zero-width; Cs: lone surrogates;
# Co, Cn: private and unassigned; Zl, Zp: line and paragraph separators.
_UNSHOWABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = re.compile(r"[ -~]*")


def clean(text: str, limit: int = 2000, keep: str = "") -> str:
    """A stranger's text made safe to print: what cannot be seen is escaped, what is long is cut."""
    cut = text[:limit]
    if not _PLAIN.fullmatch(cut):
        cut = "".join(
            c if c in keep or unicodedata.category(c) not in _UNSHOWABLE else c.encode("unicode_escape").decode()
            for c in cut
        )
    return cut if len(text) <= limit else f"{cut}... ({len(text) - limit} more characters)"


def without_host_paths(text: str, prefixes: Iterable[str]) -> str:
    """The text with this machine's directories taken out (Python's own messages name them)."""
    for prefix in prefixes:
        text = text.replace(prefix, "...")
    return text
