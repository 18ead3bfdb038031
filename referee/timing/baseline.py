"""A benchmark held against an earlier one: what has become slower or larger, beyond the noise."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.timing.positions import PHASES
from referee.timing.report import FORMAT, File, Report
from referee.timing.summary import Estimate, medians, ratio, shown

_TOLERANCE = 0.10  # what is slower by less is not worth a word, nor sure from one day to the next
# What a busy neighbour, who empties the caches, adds to any answer and to any loading: CPU seconds.
_STIR = 50e-6
_STIR_LOADING = 500e-6
_PAGES = 1 << 20  # bytes of memory that come and go by themselves


class BaselineError(ValueError):
    """A file that this benchmark cannot be held against; the text is a sentence."""


class Change(msgspec.Struct, frozen=True):
    """One figure of one file, as a multiple of what it was."""

    name: str
    what: str
    ratio: Estimate
    regression: bool

    def __str__(self) -> str:
        return f"{self.name}: {self.what} is {shown(self.ratio)} what it was"


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    file: str
    same_machine: bool
    calibration: float  # how many times as long the fixed piece of Python takes now
    tolerance: float
    changes: list[Change]
    without: list[str]  # files that the baseline does not have

    @property
    def regressions(self) -> list[Change]:
        return [change for change in self.changes if change.regression]


def read(path: str, game: str) -> Report:
    """A benchmark of that game which was saved."""
    try:
        found = msgspec.json.decode(Path(path).read_bytes(), type=Report)
    except OSError as error:
        raise BaselineError(f"The baseline {path} cannot be read: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BaselineError(f"{path} is not what `referee bench --json` prints: {error}.") from None
    if found.format != FORMAT:
        raise BaselineError(f"{path} is of format {found.format}, and this referee knows {FORMAT}; measure it again.")
    if found.game != game:
        raise BaselineError(f"{path} is a benchmark of {found.game}, not of {game}.")
    return found


def check_positions(baseline: Report, path: str, positions: set[str]) -> None:
    """Times of other positions would tell nothing."""
    if not positions & {asked.id for asked in baseline.positions}:
        usual = " ".join(f"--set {setting}" for setting in baseline.settings)
        raise BaselineError(
            f"{path} was measured at other positions; give the same options: --seed {baseline.seed} "
            f"--positions {sum(asked.phase in PHASES[:3] for asked in baseline.positions)} {usual}".rstrip() + "."
        )


def held_against(now: Report, then: Report, path: str) -> Judgement:
    """By what the same file took, or if there is only one in either, by that."""
    same = now.machine == then.machine
    calibration = now.calibration.cpu_s / then.calibration.cpu_s
    tolerance = _TOLERANCE + now.calibration.spread + then.calibration.spread
    earlier = {file.name: file for file in then.files}
    if len(now.files) == len(then.files) == 1:
        earlier = {now.files[0].name: then.files[0]}
    changes = [
        change
        for file in now.files
        if file.name in earlier
        for change in _changes(file, earlier[file.name], then, calibration, same, tolerance)
    ]
    without = [file.name for file in now.files if file.name not in earlier]
    return Judgement(
        file=path, same_machine=same, calibration=calibration, tolerance=tolerance, changes=changes, without=without
    )


def _changes(
    now: File, then: File, baseline: Report, calibration: float, same: bool, tolerance: float
) -> Iterator[Change]:
    phases = {asked.id: asked.phase for asked in baseline.positions}
    usual = 1.0 if same else calibration  # what a second then is now
    for what, chosen in (("CPU a move", PHASES), *((f"CPU a move ({phase})", (phase,)) for phase in PHASES)):
        inside = {key: times for key, times in now.times.items() if phases.get(key) in chosen and key in then.times}
        found = ratio(inside, then.times)
        if found is not None:
            new, old = medians(inside), medians(then.times)
            more = statistics.fmean(new[key] - usual * old[key] for key in new) > _STIR
            fair = _fair(found, calibration, same)
            yield Change(now.name, what, fair, more and fair.low > 1 + tolerance)
    a, b = now.load_cpu_s, then.load_cpu_s
    if a is not None and b is not None and b.low > 0:
        more = a.value - usual * b.value > _STIR_LOADING
        fair = _fair(Estimate(a.value / b.value, a.low / b.high, a.high / b.low), calibration, same)
        yield Change(now.name, "CPU to load", fair, more and fair.low > 1 + tolerance)
    if now.peak_memory and then.peak_memory:
        grown = now.peak_memory / then.peak_memory
        more = now.peak_memory - then.peak_memory > _PAGES
        yield Change(now.name, "peak memory", Estimate(grown, grown, grown), more and grown > 1 + _TOLERANCE)


def _fair(estimate: Estimate, calibration: float, same: bool) -> Estimate:
    """On another machine, by what the fixed piece of Python takes there.

    On the same one it is not known whether whatever slowed that piece slowed the strategy too: either may be.
    """
    scaled = estimate.scaled(1 / calibration)
    if not same:
        return scaled
    return Estimate(estimate.value, min(estimate.low, scaled.low), max(estimate.high, scaled.high))
