"""One row of the table: a hostile file, what must become of it, and the layers that see to that."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sandbox import Budget, Ending, Layer, Limits, Worker, Zygote

CONTAINED: Final = "contained"  # what it tried failed inside, and it plays on
REFUSED: Final = "refused"  # nothing of it ran: the submission was not accepted
ESCAPED: Final = "ESCAPED"

HOSTILE = Path(__file__).parents[2] / "players" / "hostile"
DEFAULTS = Limits()
QUICK = Budget(cpu=0.5, wall=2.0)


@dataclass
class Stage:
    """Where a case runs, for its `setup` and `check`."""

    zygote: Zygote
    folder: Path  # the test's own on the host, empty at first, removed afterwards
    target: object = None  # what `setup` returned, which is also what the file is told
    worker: Worker | None = None  # killed by the time of `check`
    bystanders: list[subprocess.Popen[str]] = field(default_factory=list)  # ended after `check` as well
    neighbours: list[Worker] = field(default_factory=list)  # others that `setup` started; killed after `check`


@dataclass(frozen=True)
class Case:
    """A hostile file and its fate.

    A file is first loaded, then asked to `probe` (its attack) `rounds` times with `pause` seconds between,
    then asked whether it is `still` there. Plain data that `setup` returns is the file's global `target`.
    One that stands alone is asked for its first required method, should it get that far.
    """

    file: str  # in players/hostile; without the .py
    expected: str | tuple[str, ...]  # CONTAINED, REFUSED or an Ending; any of several
    stopped_by: frozenset[Layer] = frozenset()  # those that know of it; none where clocks or frames do
    needs: frozenset[Layer] = frozenset()  # layers without which those are no use
    why: str = ""  # one layer only knows of it: why no other can
    otherwise: tuple[str, ...] = ()  # endings that will do as well when a layer is off
    may_raise: bool = False  # an exception out of the attack is its refusal
    limits: Limits = DEFAULTS
    budget: Budget = QUICK
    rounds: int = 1
    pause: float = 0.0
    required: tuple[str, ...] = ()  # methods the file must define to be loaded
    detail: str = ""  # words the verdict must hold
    line: int = 0  # the line of its file that the verdict must name
    name: str = ""  # for a second case of one file
    make: Callable[[Path], Path] | None = None  # writes the submission, where it cannot be a file in git
    setup: Callable[[Stage], object] | None = None
    check: Callable[[Stage], str | None] | None = None  # always run, after the kill; says what is wrong

    def __post_init__(self) -> None:
        for ending in {*self.accepted, *self.otherwise} - {CONTAINED, REFUSED}:
            Ending(ending)
        if self.only is not None and not self.why:
            raise ValueError(f"{self.id}: say why {self.only} alone can know of it")

    @property
    def id(self) -> str:
        return f"{self.file}:{self.name}" if self.name else self.file

    @property
    def path(self) -> Path:
        return HOSTILE / f"{self.file}.py"

    @property
    def stands_alone(self) -> bool:
        """Does its trick while it is loaded, and has no attack() for the tail to call."""
        return self.file.startswith("load_")

    @property
    def accepted(self) -> frozenset[str]:
        expected = (self.expected,) if isinstance(self.expected, str) else self.expected
        return frozenset(str(ending) for ending in expected)

    @property
    def only(self) -> Layer | None:
        """The layer without which nothing stops it, if there is one."""
        return next(iter(self.stopped_by)) if len(self.stopped_by) == 1 else None
