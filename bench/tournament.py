"""What a tournament costs beyond its games: lanes side by side, their supervisor, their journal, and memory."""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil

from referee import games
from referee.entrants import named
from referee.match import Entrant, Terms
from referee.tournament.formats import FORMATS, Plan
from referee.tournament.journal import Journal
from referee.tournament.lanes import Lanes
from referee.tournament.match import Rules, Seat
from referee.tournament.outcome import Outcome
from referee.tournament.spec import Rooms, Spec
from referee.tournament.stage import HOOKS, Job, Report, Stage
from referee.tournament.tournament import Tournament

_RULES = Rules(game="fish", config={}, terms=Terms())
_THINKER = "minimax:depth=3"
_ROUNDS = 7
_GAMES = 60  # a round
_BRIEF = Rules(game="fish", config={"rows": 3, "columns": 4}, terms=Terms())
_MANY = 5_000  # matches, of the briefest kind
_WARM = 500  # before memory is looked at
_JOURNAL = 100_000  # matches


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return {**_lanes(place), **_supervision(place), **_memory(place), **_journal(place)}


def _players(count: int) -> list[Entrant]:
    return [named(games.get("fish"), f"greedy-{number}", "greedy") for number in range(count)]


def _spec(rules: Rules, entrants: list[Entrant], matches: int, seed: int = 0) -> Spec:
    plan = Plan(seats=2, games=matches)
    return Spec(rules=rules, format="round-robin", plan=plan, seed=seed, players=tuple(map(Seat.of, entrants)))


def _lanes(folder: Path) -> dict[str, float]:
    """Two lanes against one, in turn and warm: between players that think, and where a match is mostly its start."""
    thinking = [named(games.get("fish"), "greedy", "greedy"), named(games.get("fish"), "minimax", _THINKER)]
    one, two, speedup = _speedup(folder, "thinking", thinking)
    *_, brief = _speedup(folder, "brief", _players(2))
    return {
        "lanes_speedup": speedup,
        "games_per_s_one_lane": one,
        "games_per_s_two_lanes": two,
        "lanes_speedup_brief": brief,
    }


def _speedup(folder: Path, kind: str, entrants: list[Entrant]) -> tuple[float, float, float]:
    """Games a second of one lane and of two, and the ratio."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    with Lanes(_RULES, entrants, 1) as one, Lanes(_RULES, entrants, 2) as two:
        for round_ in range(_ROUNDS + 1):  # in the first they start
            _tell(f"lanes, {kind}: round {round_} of {_ROUNDS}")
            spec = _spec(_RULES, entrants, _GAMES, round_)
            for count, crew in ((1, one), (2, two)):
                wall, _ = _held(folder / f"{kind}-{count}-{round_}.db", spec, crew)
                rates[count].append(_GAMES / wall)
    ratios = [both / alone for alone, both in zip(rates[1], rates[2], strict=True)]
    alone, both, ratio = (statistics.median(figures[1:]) for figures in (rates[1], rates[2], ratios))
    return alone, both, ratio


def _supervision(folder: Path) -> dict[str, float]:
    """A lane, its supervisor and the journal against a stage that nobody supervises, in brief matches."""
    entrants, core = _players(2), min(os.sched_getaffinity(0))
    walls, spent, bare = [], [], []
    with Lanes(_RULES, entrants, 1) as one, Stage(_RULES, entrants, core) as stage:
        for round_ in range(_ROUNDS + 1):
            _tell(f"supervision: round {round_} of {_ROUNDS}")
            spec = _spec(_RULES, entrants, _GAMES, round_)
            wall, cpu = _held(folder / f"supervised-{round_}.db", spec, one)
            walls.append(wall)
            spent.append(cpu / wall)
            bare.append(_played(folder / f"bare-{round_}", spec, stage, core))
    lost = [1 - alone / wall for alone, wall in zip(bare[1:], walls[1:], strict=True)]
    return {
        "supervisor_share": statistics.median(spent[1:]),
        "lane_lost_share": statistics.median(lost),
        "lane_ms_per_match": 1e3 * statistics.median(walls[1:]) / _GAMES,
        "stage_ms_per_match": 1e3 * statistics.median(bare[1:]) / _GAMES,
    }


def _held(path: Path, spec: Spec, crew: Lanes) -> tuple[float, float]:
    """Seconds that a tournament takes, on the clock and of this process, which supervises it."""
    with Journal.open(path, spec) as journal:
        for name in spec.names:
            journal.call(name, HOOKS[0], None)
            journal.call(name, HOOKS[1], None)
        tournament = Tournament(journal)
        begun, cpu = time.perf_counter(), time.process_time()
        tournament.run(crew)
        return time.perf_counter() - begun, time.process_time() - cpu


def _played(records: Path, spec: Spec, stage: Stage, core: int) -> float:
    """Seconds for the same matches where nobody hands them out; as a lane does it, with all of it on one core."""
    records.mkdir()
    rooms = Rooms(spec)
    matches = [rooms.match(number, pairing) for number, pairing in enumerate(_pairings(spec))]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        begun = time.perf_counter()
        for match in matches:
            stage.play(match, str(records / f"{match.number:06}.jsonl"))
        return time.perf_counter() - begun
    finally:
        os.sched_setaffinity(0, cores)


def _pairings(spec: Spec) -> Iterator[Any]:
    """Of a format that does not look at outcomes."""
    for batch in FORMATS[spec.format](spec.names, spec.plan):
        yield from batch


def _memory(folder: Path) -> dict[str, float]:
    """How much larger the processes are after so many matches."""
    entrants = _players(2)
    sizes: dict[int, list[int]] = {}
    with (
        Journal.open(folder / "many.db", _spec(_BRIEF, entrants, _MANY)) as journal,
        Lanes(_BRIEF, entrants, 2) as lanes,
    ):

        def look(tournament: Tournament) -> None:
            if tournament.done % _WARM == 0:
                _tell(f"memory: {tournament.done} of {_MANY} matches")
                gc.collect()
                sizes[tournament.done] = [psutil.Process(pid).memory_info().rss for pid in (os.getpid(), *lanes.pids)]

        begun = time.perf_counter()
        Tournament(journal, look).run(lanes)
        seconds = time.perf_counter() - begun
    supervisor, *others = (after - before for before, after in zip(sizes[_WARM], sizes[_MANY], strict=True))
    return {
        "supervisor_growth_kb": supervisor / 1024,
        "lane_growth_kb": max(others) / 1024,
        "brief_matches_per_s": _MANY / seconds,
    }


class _Found(Exception):
    """The first match that is still to be played."""


class _Impatient:
    """A crew that wants to know what is first, and no more."""

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Report]]:
        for job in jobs:
            raise _Found(job)
        yield from ()


def _journal(folder: Path) -> dict[str, float]:
    """A large journal, gone on with: from the opening to the first match that is handed out."""
    entrants, path = _players(11), folder / "large.db"
    pairs = len(entrants) * (len(entrants) - 1) // 2
    spec = _spec(_RULES, entrants, _JOURNAL // pairs + 2)
    rooms = Rooms(spec)
    with Journal.open(path, spec) as journal:
        for name in spec.names:
            journal.call(name, HOOKS[0], None)
        begun = 0.0
        for number, pairing in enumerate(_pairings(spec)):
            if number == _JOURNAL:
                break
            if number % 20_000 == 0:
                _tell(f"journal: {number} of {_JOURNAL} matches")
            identity, outcome = rooms.match(number, pairing).id, _outcome(number, pairing.seats)
            begun -= time.perf_counter()
            journal.add(identity, outcome)
            begun += time.perf_counter()
    _tell("journal: going on with it")
    opened = time.perf_counter()
    with Journal.open(path, spec) as journal:
        try:
            Tournament(journal).run(_Impatient())
        except _Found as found:
            seconds = time.perf_counter() - opened
            if found.args[0].match.number != _JOURNAL:
                raise RuntimeError(f"{found.args[0].match.number} is not the next match") from None
    return {"journal_resume_s": seconds, "journal_add_us": 1e6 * begun / _JOURNAL}


def _outcome(number: int, seats: tuple[str, ...]) -> Outcome:
    """Like that of a game."""
    first, second = seats if number % 3 else reversed(seats)
    return Outcome(
        number=number,
        seats=seats,
        ranking=((first,), (second,)),
        scores={first: 20 + number % 7, second: 11},
        turns=24,
        moves=dict.fromkeys(seats, 12),
        cpu=dict.fromkeys(seats, 0.004321),
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
