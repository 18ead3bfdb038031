"""All that a benchmark found, in one object: what `--json` prints, and what a later one is held against."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import Annotated, Any

import msgspec

from referee.timing.machine import Machine
from referee.timing.measure import Failure, Measurement, Timings
from referee.timing.positions import PHASES, Position, Sitting
from referee.timing.summary import Comparison, Estimate, Figures, Times, compared, estimate, medians, spread
from sandbox import Frame

FORMAT = 1
_BINS = (1, 5, 10, 20, 50, 100, 1000)  # numbers of legal moves with which a group begins
_ALL_PAIRS = 6  # of more files only neighbours are compared


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One of the positions."""

    id: str
    source: str
    turn: int
    player: str
    method: str
    phase: str
    legal_moves: int | None


class Changed(msgspec.Struct, frozen=True):
    """A position to which a file gave different answers, though nothing else differed."""

    position: str
    answers: list[Any]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a file failed."""

    verdict: str
    method: str
    detail: str
    file: str | None
    line: int | None
    traceback: tuple[Frame, ...]
    positions: list[str]
    count: int


class Share(msgspec.Struct, frozen=True):
    """Of the CPU seconds allowed a move."""

    median: float
    p95: float
    max: float

    @classmethod
    def of(cls, figures: Figures, budget: float) -> Share:
        return cls(figures.median.value / budget, figures.p95.value / budget, figures.max.value / budget)


class File(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one file; no figures where it answered nothing."""

    name: str
    file: str
    sha256: str
    cpu_s: Figures | None
    by_phase: dict[str, Figures]
    by_legal_moves: dict[str, Figures]
    share_of_budget: Share | None
    load_cpu_s: Estimate | None
    peak_memory: int
    changed: list[Changed]
    failures: list[Fault]
    given_up: str | None
    times: Times


class Calibration(msgspec.Struct, frozen=True):
    """How long a fixed piece of Python took meanwhile, and how far apart the middle half of its times lies."""

    cpu_s: Annotated[float, msgspec.Meta(gt=0)]
    spread: Annotated[float, msgspec.Meta(ge=0)]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One benchmark."""

    format: int
    game: str
    settings: tuple[str, ...]
    seed: int
    repeat: int
    budget_cpu_s: float
    machine: Machine
    calibration: Calibration
    positions: list[Asked]
    files: list[File]
    comparisons: list[Comparison]

    @property
    def ok(self) -> bool:
        return not any(file.failures for file in self.files)


def report(
    game: str,
    sittings: Sequence[Sitting],
    measured: Measurement,
    *,
    settings: tuple[str, ...],
    seed: int,
    repeat: int,
    budget: float,
) -> Report:
    positions = [position for sitting in sittings for position in sitting.positions]
    files = [_file(timings, positions, budget) for timings in measured.timings]
    return Report(
        format=FORMAT,
        game=game,
        settings=settings,
        seed=seed,
        repeat=repeat,
        budget_cpu_s=budget,
        machine=Machine.this(),
        calibration=Calibration(statistics.median(measured.calibrations), spread(measured.calibrations)),
        positions=[_asked(position) for position in positions],
        files=files,
        comparisons=list(_comparisons(files)),
    )


def _asked(position: Position) -> Asked:
    return Asked(
        id=position.id,
        source=position.source,
        turn=position.turn,
        player=position.ask.player,
        method=position.ask.method,
        phase=position.phase,
        legal_moves=position.choices,
    )


def _file(timings: Timings, positions: list[Position], budget: float) -> File:
    entrant, times = timings.entrant, medians(timings.moves)
    figures = Figures.of(list(times.values())) if times else None
    return File(
        name=entrant.name,
        file=entrant.given,
        sha256=entrant.sha256,
        cpu_s=figures,
        by_phase=_grouped(times, {phase: [at.id for at in positions if at.phase == phase] for phase in PHASES}),
        by_legal_moves=_grouped(times, _by_choices(positions)),
        share_of_budget=None if figures is None else Share.of(figures, budget),
        load_cpu_s=estimate(timings.loads, statistics.median) if timings.loads else None,
        peak_memory=timings.memory,
        changed=[Changed(key, answers) for key, answers in timings.answers.items() if len(answers) > 1],
        failures=[_fault(failure) for failure in timings.failures],
        given_up=timings.given_up or None,
        times=timings.moves,
    )


def _fault(failure: Failure) -> Fault:
    verdict = failure.verdict
    return Fault(
        verdict=str(verdict.ending),
        method=verdict.method,
        detail=verdict.detail,
        file=verdict.file or None,
        line=verdict.line or None,
        traceback=verdict.traceback,
        positions=failure.positions,
        count=failure.count,
    )


def _grouped(times: dict[str, float], groups: dict[str, list[str]]) -> dict[str, Figures]:
    found = {group: [times[key] for key in keys if key in times] for group, keys in groups.items()}
    return {group: Figures.of(inside) for group, inside in found.items() if inside}


def _by_choices(positions: list[Position]) -> dict[str, list[str]]:
    ends = [*(f"-{begin - 1}" for begin in _BINS[1:]), "+"]
    return {
        f"{low}{end}": [at.id for at in positions if at.choices is not None and low <= at.choices < high]
        for low, high, end in zip(_BINS, [*_BINS[1:], float("inf")], ends, strict=True)
    }


def _comparisons(files: list[File]) -> Iterable[Comparison]:
    """From the fastest on; among many files each is compared with the next, and the rest follows from that."""
    answering = {file.name: file.times for file in files if file.times}
    order = sorted(answering, key=lambda name: statistics.median(medians(answering[name]).values()))
    for first, second in combinations(order, 2) if len(order) <= _ALL_PAIRS else pairwise(order):
        found = compared(first, answering[first], second, answering[second])
        if found is not None:
            yield found
