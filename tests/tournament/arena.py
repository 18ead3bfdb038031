"""What the tests of whole tournaments share: small games, rogues, tables without timings, and whoever kills lanes."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from referee.match import Entrant, Terms
from referee.tournament.formats import Plan
from referee.tournament.journal import Journal
from referee.tournament.match import Rules, Seat
from referee.tournament.outcome import Outcome
from referee.tournament.spec import Spec
from referee.tournament.stage import Job, Report
from referee.tournament.tournament import Crew, Tournament
from sandbox import Budget
from tests.family import descendants
from tests.referee.table import file, source

HOSTILE = Path(__file__).parents[2] / "players" / "hostile"
# Wide in wall time: a loaded machine must kick nobody.
RULES = Rules(
    game="fish",
    config={"rows": 3, "columns": 4},
    terms=Terms(move=Budget(cpu=0.2, wall=30.0), setup=Budget(cpu=5.0)),
)
SETTINGS = ("--set", "rows=3", "--set", "columns=4", "--time", "0.2", "--wall", "30")

# Long enough that somebody can come in the middle of it.
SLOW = source("fish", "import time\ndef placement(view):\n    time.sleep(0.05)\n    return view.free_tiles()[0]\n")
LAST = source("fish", "def movement(view): return view.legal_moves()[-1]\n")
CHANCE = source("fish", "import random\ndef movement(view): return random.choice(view.legal_moves())\n")


def honest(folder: Path, *names: str) -> list[Entrant]:
    """Players that never fail, all different: one takes the first move, one the last, the others any."""
    return [file(folder, name, ([source("fish"), LAST] + [CHANCE] * len(names))[at]) for at, name in enumerate(names)]


def rogue(folder: Path, name: str) -> Entrant:
    """A file of the gallery that plays legally until its second move, where it attacks."""
    tail = """
    moves = 0
    def movement(view):
        global moves
        moves += 1
        return attack() if moves == 2 else view.legal_moves()[0]
    """
    text = (HOSTILE / f"{name}.py").read_text()
    return file(folder, name, text if name.startswith("load_") else text + source("fish", tail))


def spec(entrants: Sequence[Entrant], format: str = "round-robin", *, seed: int = 7, **plan: Any) -> Spec:
    planned = Plan(**{"seats": 2, "games": 2, **plan})
    return Spec(rules=RULES, format=format, plan=planned, seed=seed, players=tuple(map(Seat.of, entrants)))


def held(path: Path, spec: Spec, crew: Crew) -> Tournament:
    """Begun or gone on with; the journal is closed, and what the table shows was taken from it before."""
    with Journal.open(path, spec) as journal:
        tournament = Tournament(journal)
        tournament.run(crew)
    return tournament


def table(path: Path) -> list[dict[str, Any]]:
    """The standings of a journal, without what the clock had to say."""
    with Journal.read(path) as journal:
        return timeless(msgspec.to_builtins(Tournament(journal).standings()))


def timeless(standings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "cpu_per_move_ms"} for row in standings]


def rows(path: Path) -> list[Any]:
    """Every match of a journal, without what the clock had to say: CPU, and where in its file a rogue was then."""
    with Journal.read(path) as journal:
        return [(identity, _timeless(outcome)) for identity, outcome in journal]


def _timeless(outcome: Outcome) -> Outcome:
    kicked = tuple(msgspec.structs.replace(kick, detail="", line=None) for kick in outcome.kicked)
    return msgspec.structs.replace(outcome, cpu={}, kicked=kicked)


class Halted(Exception):
    """A crew that does no more."""


class Halting:
    """A crew that does so many jobs, and stops."""

    def __init__(self, crew: Crew, jobs: int) -> None:
        self._crew = crew
        self._left = jobs

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Report]]:
        jobs = iter(jobs)
        for done in self._crew.do(islice(jobs, self._left)):
            self._left -= 1
            yield done
        if next(jobs, None) is not None:
            raise Halted


class Assassin(threading.Thread):
    """Kills the lane of a match, in the middle of it, so many times; notes which lanes there were at each attempt.

    `victim` names whom to kill of the lane's process id; a supervisor is the process whose descendants lanes are.
    """

    def __init__(
        self, record: Path, times: int, *, victim: Callable[[int], int] = int, supervisor: int | None = None
    ) -> None:
        super().__init__()
        self.attempts: list[tuple[int, set[int]]] = []  # the lane that played it, and all there were
        self._record = record
        self._times = times
        self._victim = victim
        self._supervisor = supervisor or os.getpid()
        self._until = time.monotonic() + 60.0
        self._over = threading.Event()

    def __enter__(self) -> Assassin:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(0.002) and time.monotonic() < self._until:
            with contextlib.suppress(OSError):  # not there yet, or gone
                if self._record.read_bytes().count(b"\n") < 4:
                    continue
                lane = self._player()
                if lane and lane not in (pid for pid, _ in self.attempts):
                    self.attempts.append((lane, self._lanes()))
                    if len(self.attempts) <= self._times:
                        self._record.unlink()  # what comes there next is of the next attempt
                        os.kill(self._victim(lane), signal.SIGKILL)

    def _player(self) -> int:
        """Who holds the record open."""
        for pid in self._lanes():
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(link) == str(self._record):
                        return pid
        return 0

    def _lanes(self) -> set[int]:
        """The processes that are lanes: those with a zygote."""
        found = set()
        for pid in descendants(self._supervisor):
            with contextlib.suppress(OSError):
                if b"multiprocess" in Path(f"/proc/{pid}/cmdline").read_bytes() and descendants(pid):
                    found.add(pid)
        return found


def guard(lane: int) -> int:
    """The process of a lane whose end is that of its zygote."""
    return descendants(lane)[0]


@contextlib.contextmanager
def nothing_left_behind(temporary: Path) -> Iterator[None]:
    """No process, no descriptor, no temporary file, after what is done within. `temporary` is empty and TMPDIR."""
    from multiprocess import resource_tracker

    from sandbox import syscalls

    resource_tracker.ensure_running()  # one for the whole process, whoever is the first to need it
    syscalls.prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: orphans come to us, and are counted
    before = _holdings()
    try:
        yield
        until = time.monotonic() + 10.0
        while (left := _holdings() - before) and time.monotonic() < until:
            for kind, name in left:
                if kind == "process":
                    with contextlib.suppress(ChildProcessError):
                        os.waitpid(int(name), os.WNOHANG)
            time.sleep(0.01)
        assert left == set(), left
        assert not list(temporary.iterdir())
    finally:
        syscalls.prctl(36, 0)


def _holdings() -> set[tuple[str, str]]:
    shared = Path("/dev/shm")
    return {
        *(("process", str(pid)) for pid in descendants(os.getpid())),
        *(("descriptor", name) for name in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{name}")),
        *(("shared memory", path.name) for path in (shared.iterdir() if shared.is_dir() else ())),
    }
