"""A benchmark as people read it: tables with small bars, in colour where there is a terminal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from referee.showing import size
from referee.timing.positions import PHASES
from referee.timing.report import Asked, Changed, Fault, File, Report
from referee.timing.summary import Estimate, Figures
from sandbox import clean

if TYPE_CHECKING:
    from referee.timing.baseline import Judgement

_WIDTH = 16  # characters of a full bar
_EIGHTHS = "▏▎▍▌▋▊▉█"
_LISTED = 3  # positions that are named where there are many
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def draw(lines: Iterator[str]) -> None:
    """In colour, to a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        text = Text(line)
        text.highlight_regex(f"[{_EIGHTHS}]+", "cyan")
        text.highlight_regex(r"is [\d.]+x .*faster", "green")
        text.highlight_regex(r"^  (SLOWER|LARGER|FAILS).*", "red")
        console.print(text, soft_wrap=True)


def told(report: Report, judgement: Judgement | None, *, blocks: bool) -> Iterator[str]:
    """All of it, line by line; `blocks` draws bars finer than letters can."""
    phases = Counter(asked.phase for asked in report.positions)
    kinds = ", ".join(f"{phases[phase]} {phase}" for phase in PHASES if phases[phase])
    yield (
        f"{report.game}: {len(report.positions)} positions ({kinds}), {report.repeat} repeats, seed {report.seed}; "
        "in brackets what holds with 95 %."
    )
    places = {asked.id: asked for asked in report.positions}
    for file in report.files:
        yield ""
        yield from _file(file, report.budget_cpu_s, places, blocks)
    if report.comparisons:
        yield ""
        yield "Which is faster"
        yield from _race(report.files, blocks)
        yield from (f"  {comparison}" for comparison in report.comparisons)
    if judgement is not None:
        yield ""
        yield from _against(judgement)
    yield ""
    machine, noise = report.machine, report.calibration
    yield (
        f"Measured on {machine.processor}, {machine.cores} cores, Python {machine.python}; "
        f"a fixed loop took {seconds(noise.cpu_s)}, give or take {noise.spread / 2:.0%}."
    )


def seconds(value: float) -> str:
    unit, name = _unit(value)
    return f"{_digits(value / unit)} {name}"


def _file(file: File, budget: float, places: dict[str, Asked], blocks: bool) -> Iterator[str]:
    yield f"{file.name} ({file.file})"
    if file.cpu_s is not None:
        yield f"  {'CPU a move':<22}{'median':<22}{'95 % below':<22}most"
        legal = {f"{group} legal moves": figures for group, figures in file.by_legal_moves.items()}
        rows = {f"{file.cpu_s.positions} positions": file.cpu_s, **file.by_phase, **legal}
        greatest = max(figures.median.value for figures in rows.values())
        for what, figures in rows.items():
            yield f"  {what:<22}{_columns(figures)}{bar(figures.median.value / greatest, blocks)}"
    if file.share_of_budget is not None:
        share = file.share_of_budget
        parts = "".join(f"{_percent(part):<22}" for part in (share.median, share.p95, share.max))
        yield f"  {f'of the {budget:g} s allowed':<22}{parts}".rstrip()
    if file.load_cpu_s is not None:
        yield f"  loads in {_estimate(file.load_cpu_s)}; peak memory {size(file.peak_memory)}"
    yield from _changed(file.changed, places)
    for failure in file.failures:
        yield from _failure(failure, places)
    if file.given_up:
        yield f"  It was not asked to the end: {file.given_up}."


def _changed(changed: list[Changed], places: dict[str, Asked]) -> Iterator[str]:
    if changed:
        yield f"  Answers changed between repeats at {_count(len(changed))}:"
    for change in changed[:_LISTED]:
        answers = " or ".join(clean(msgspec.json.encode(answer).decode(), 60) for answer in change.answers[:_LISTED])
        yield f"    {_place(places[change.position])}: {answers}"
    if len(changed) > _LISTED:
        yield f"    and {len(changed) - _LISTED} more"


def _failure(failure: Fault, places: dict[str, Asked]) -> Iterator[str]:
    where = f" ({failure.file}, line {failure.line})" if failure.line else ""
    when = f"at {_count(len(failure.positions))}" if failure.positions else "while it is loaded"
    yield f"  FAILS {when}: {failure.verdict}: {failure.detail}{where}"
    for frame in failure.traceback:
        yield f"    {frame.file}, line {frame.line}, in {frame.function}: {frame.source}".rstrip(": ")
    if failure.positions:
        named = "; ".join(_place(places[key]) for key in failure.positions[:_LISTED])
        more = len(failure.positions) - _LISTED
        yield f"    {named}{f'; and {more} more' if more > 0 else ''}"


def _race(files: list[File], blocks: bool) -> Iterator[str]:
    timed = {file.name: file.cpu_s.median.value for file in files if file.cpu_s is not None}
    width, slowest = max(map(len, timed)), max(timed.values())
    for name, value in sorted(timed.items(), key=lambda item: item[1]):
        yield f"  {name:<{width}}  {seconds(value):>8}  {bar(value / slowest, blocks)}"


def _against(judgement: Judgement) -> Iterator[str]:
    yield f"Against {judgement.file}"
    if not judgement.same_machine:
        yield (
            f"  It was measured on another machine or Python: times are scaled by a fixed loop, which takes "
            f"{judgement.calibration:.2f}x as long here."
        )
    for change in judgement.changes:
        marks = {"peak memory": "LARGER"} if change.regression else {}
        mark = marks.get(change.what, "SLOWER" if change.regression else "")
        yield f"  {mark:<8}{change}"
    for name in judgement.without:
        yield f"  {name} is not in it."
    count = len(judgement.regressions)
    found = f"{count} regression{'s' * (count > 1)}" if count else "No regression"
    yield f"  {found} beyond the noise, which here is {judgement.tolerance:.0%}."


def bar(share: float, blocks: bool) -> str:
    """Of full width for 1; whatever there is shows."""
    if not blocks:
        return "#" * max(1, round(_WIDTH * share))
    whole, rest = divmod(max(1, round(8 * _WIDTH * share)), 8)
    return _EIGHTHS[-1] * whole + (_EIGHTHS[rest - 1] if rest else "")


def _columns(figures: Figures) -> str:
    return "".join(f"{_estimate(part):<22}" for part in (figures.median, figures.p95, figures.max))


def _estimate(found: Estimate) -> str:
    unit, name = _unit(found.value)
    value, low, high = (_digits(part / unit) for part in (found.value, found.low, found.high))
    return f"{value} {name} ({low}-{high})"


def _unit(value: float) -> tuple[float, str]:
    return next((unit for unit in _UNITS if value >= unit[0]), _UNITS[-1])


def _digits(value: float) -> str:
    """Two of them, or all before the point; but so few that columns keep their width."""
    return f"{value:.{min(3, max(0, 1 - math.floor(math.log10(value))))}f}" if value > 0 else "0"


def _percent(share: float) -> str:
    return f"{share:.2%}" if share >= 0.0001 else "under 0.01%"


def _count(positions: int) -> str:
    return f"{positions} position{'s' * (positions > 1)}"


def _place(asked: Asked) -> str:
    return f"{asked.source}, turn {asked.turn}, {asked.method} of {asked.player}"
