"""The page of a benchmark: how the CPU time of each file's moves is spread, and what that says of which is faster."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

import msgspec

from referee.showing import name_shown, size
from referee.timing.bars import seconds
from referee.timing.baseline import Judgement
from referee.timing.positions import PHASES
from referee.timing.report import Asked, Changed, Fault, File, Report
from referee.timing.summary import Comparison, Estimate, medians
from referee.viewer.page import page
from sandbox import clean

_MOST_DOTS = 300  # in a row: more are a blot
_MOST_POINTS = 2000  # of a file's among the numbers of legal moves
_LISTED = 5  # positions, answers, frames that are named where there are many
_LONGEST = 200


def timings(report: Report, judgement: Judgement | None = None) -> str:
    """The HTML; with a judgement also how it stands against an earlier benchmark."""
    places = {asked.id: asked for asked in report.positions}
    machine, noise = report.machine, report.calibration
    data = {
        "game": report.game,
        "positions": len(report.positions),
        "repeat": report.repeat,
        "seed": str(report.seed),  # beyond what a script's numbers hold
        "settings": [clean(setting, _LONGEST) for setting in report.settings],
        "budget": report.budget_cpu_s,
        "phases": [phase for phase in PHASES if any(asked.phase == phase for asked in report.positions)],
        "groups": list(dict.fromkeys(group for file in report.files for group in file.by_legal_moves)),
        "files": [_file(file, places) for file in report.files],
        "comparisons": [_compared(comparison) for comparison in report.comparisons],
        "against": None if judgement is None else _against(judgement),
        "machine": clean(
            f"{machine.processor}, {machine.cores} cores, Python {machine.python}; "
            f"a fixed loop took {seconds(noise.cpu_s)}, give or take {noise.spread / 2:.0%}.",
            _LONGEST,
        ),
    }
    names = ", ".join(name_shown(file.name) for file in report.files)
    return page(f"{report.game.capitalize()} benchmark: {names}", "timings", data)


def _file(file: File, places: dict[str, Asked]) -> dict[str, Any]:
    times = medians(file.times)
    rows = {"": list(times.values())}
    for phase in PHASES:
        rows[phase] = [spent for key, spent in times.items() if places[key].phase == phase]
    points = [(choices, spent) for key, spent in times.items() if (choices := places[key].legal_moves)]
    return {
        "name": name_shown(file.name),
        "given": clean(file.file, _LONGEST),
        "rows": {phase: _spread(spent) for phase, spent in rows.items() if spent},
        "figures": None
        if file.cpu_s is None
        else [_interval(part) for part in (file.cpu_s.median, file.cpu_s.p95, file.cpu_s.max)],
        "groups": {group: _interval(figures.median) for group, figures in file.by_legal_moves.items()},
        "points": _thinned(points, _MOST_POINTS),
        "load": None if file.load_cpu_s is None else _interval(file.load_cpu_s),
        "memory": [file.peak_memory, size(file.peak_memory)],
        "faults": [_fault(fault, places) for fault in file.failures],
        "changed": [_changed(changed, places) for changed in file.changed[:_LISTED]],
        "changes": len(file.changed),
        "given_up": clean(file.given_up or "", _LONGEST),
    }


def _spread(times: list[float]) -> dict[str, Any]:
    """Quartiles, and the times themselves, one a position."""
    ordered = sorted(times)
    middle = statistics.median(ordered)
    quarters = statistics.quantiles(ordered, n=4, method="inclusive") if len(ordered) > 1 else [middle] * 3
    return {"quarters": quarters, "ends": [ordered[0], ordered[-1]], "dots": _thinned(ordered, _MOST_DOTS)}


def _thinned(values: list[Any], most: int) -> list[Any]:
    """Evenly, first and last kept."""
    if len(values) <= most:
        return values
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]


def _interval(found: Estimate) -> list[float]:
    return [found.low, found.value, found.high]


def _compared(comparison: Comparison) -> dict[str, Any]:
    shown = Comparison(name_shown(comparison.faster), name_shown(comparison.slower), comparison.ratio)
    return {"words": str(shown), "ratio": _interval(comparison.ratio), "differs": comparison.differs}


def _against(judgement: Judgement) -> dict[str, Any]:
    return {
        "file": clean(judgement.file, _LONGEST),
        "same_machine": judgement.same_machine,
        "calibration": judgement.calibration,
        "tolerance": judgement.tolerance,
        "without": [name_shown(name) for name in judgement.without],
        "changes": [
            {"words": clean(str(change), _LONGEST), "ratio": _interval(change.ratio), "regression": change.regression}
            for change in judgement.changes
        ],
    }


def _fault(fault: Fault, places: dict[str, Asked]) -> dict[str, Any]:
    where = f" ({fault.file}, line {fault.line})" if fault.line else ""
    frames = [
        clean(f"{frame.file}, line {frame.line}, in {frame.function}: {frame.source}".rstrip(": "), _LONGEST)
        for frame in fault.traceback[-_LISTED:]
    ]
    return {
        "verdict": clean(fault.verdict, _LONGEST),
        "words": clean(f"{fault.detail}{where}", 2 * _LONGEST),
        "frames": frames,
        "count": len(fault.positions),
        "positions": _named(fault.positions[:_LISTED], places),
    }


def _changed(changed: Changed, places: dict[str, Asked]) -> dict[str, Any]:
    answers = [clean(msgspec.json.encode(answer).decode(), 80) for answer in changed.answers[:_LISTED]]
    return {"position": _named([changed.position], places)[0], "answers": answers}


def _named(positions: Iterable[str], places: dict[str, Asked]) -> list[str]:
    found = [places[key] for key in positions]
    return [clean(f"{at.source}, turn {at.turn}, {at.method} of {at.player}", _LONGEST) for at in found]
