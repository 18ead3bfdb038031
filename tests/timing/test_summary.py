"""What the figures of a benchmark say: known times give known answers, and noise is told from a difference."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from referee.timing import baseline
from referee.timing.machine import Machine
from referee.timing.report import FORMAT, Asked, Calibration, File, Report
from referee.timing.summary import Estimate, Figures, Times, compared, estimate, ratio, shown, spread


def times(seed: int, scale: float = 1.0, noise: float = 0.02) -> Times:
    """Thirty positions of very different cost, five repeats, each a little off."""
    costs, chance = random.Random(0), random.Random(seed)
    return {
        str(number): [scale * cost * chance.lognormvariate(0, noise) for _ in range(5)]
        for number, cost in enumerate(costs.lognormvariate(-7, 1) for _ in range(30))
    }


def test_the_figures_of_known_times() -> None:
    found = Figures.of([number / 100 for number in range(1, 102)])
    assert found.positions == 101
    assert (found.median.value, found.p95.value, found.max.value) == pytest.approx((0.51, 0.96, 1.01))
    for figure in (found.median, found.p95, found.max):
        assert figure.low <= figure.value <= figure.high
    assert found.median.low < 0.51 < found.median.high
    assert Figures.of([0.5]).p95 == Estimate(0.5, 0.5, 0.5)


def test_the_same_times_have_the_same_intervals() -> None:
    values = [1.0, 4.0, 2.0, 8.0]
    assert estimate(values, max) == estimate(values, max)


def test_a_file_twice_as_fast_is_said_to_be_so_whichever_is_named_first() -> None:
    quick, slow = times(1), times(2, scale=2.0)
    for found in (compared("ann", quick, "bob", slow), compared("bob", slow, "ann", quick)):
        assert found is not None
        assert (found.faster, found.slower, found.differs) == ("ann", "bob", True)
        assert 1.9 < found.ratio.low < 2 < found.ratio.high < 2.1
        assert str(found) == "ann is 2.0x (2.0-2.0) faster than bob"


def test_the_same_file_measured_twice_hardly_ever_differs() -> None:
    found = [compared("a", times(2 * run), "b", times(2 * run + 1)) for run in range(40)]
    assert sum(one is not None and one.differs for one in found) <= 4
    assert "no difference beyond the noise" in str(next(one for one in found if one is not None and not one.differs))


def test_what_slows_whole_repeats_is_noise_though_all_positions_agree() -> None:
    before, after = times(1), times(2)
    for number, factor in enumerate((1.3, 1.0, 1.2, 0.9, 1.15)):
        for repeats in after.values():
            repeats[number] *= factor
    found = ratio(after, before)
    assert found is not None
    assert found.low < 1 < found.value


def test_only_positions_that_both_answered_are_compared() -> None:
    assert ratio({"a": [2.0], "b": [9.0]}, {"a": [1.0], "c": [1.0]}) == Estimate(2.0, 2.0, 2.0)
    assert compared("ann", {"a": [1.0]}, "bob", {"b": [1.0]}) is None


def test_ratios_are_shown_with_the_digits_that_tell_something() -> None:
    assert shown(Estimate(2.14, 1.91, 2.29)) == "2.1x (1.9-2.3)"
    assert shown(Estimate(1.041, 1.02, 1.06)) == "1.04x (1.02-1.06)"
    assert shown(Estimate(314.2, 147.4, 580.1)) == "314x (147-580)"


def test_the_spread_of_calibrations() -> None:
    assert spread([1.0]) == 0
    assert spread([1.0, 1.0, 1.0]) == 0
    assert spread([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(2 / 3)


HERE = Machine("a chip", 2, "3.11.7", "Linux x86_64")


def run(
    moves: Times, *, name: str = "bot", machine: Machine = HERE, loop: float = 0.002, memory: int = 1 << 20
) -> Report:
    """A benchmark of one file."""
    phases = ("opening", "middle", "end")
    asked = [
        Asked(id=key, source="game 1", turn=1, player="a", method="move", phase=phases[int(key) % 3], legal_moves=3)
        for key in moves
    ]
    file = File(
        name=name,
        file=f"{name}.py",
        sha256="",
        cpu_s=Figures.of([repeats[0] for repeats in moves.values()]),
        by_phase={},
        by_legal_moves={},
        share_of_budget=None,
        load_cpu_s=Estimate(0.001, 0.001, 0.001),
        peak_memory=memory,
        changed=[],
        failures=[],
        given_up=None,
        times=moves,
    )
    return Report(
        format=FORMAT,
        game="fish",
        settings=(),
        seed=0,
        repeat=5,
        budget_cpu_s=5.0,
        machine=machine,
        calibration=Calibration(loop, 0.01),
        positions=asked,
        files=[file],
        comparisons=[],
    )


def regressions(now: Report, then: Report) -> set[str]:
    return {change.what for change in baseline.held_against(now, then, "before.json").regressions}


def test_no_regression_where_nothing_has_changed() -> None:
    assert regressions(run(times(1)), run(times(2))) == set()
    assert regressions(run(times(1, scale=0.5)), run(times(2))) == set(), "faster is no regression"
    assert regressions(run(times(1, scale=1.06)), run(times(2))) == set(), "six percent is within the tolerance"


def test_what_has_become_slower_is_named() -> None:
    assert regressions(run(times(1, scale=1.5)), run(times(2))) == {
        "CPU a move", "CPU a move (opening)", "CPU a move (middle)", "CPU a move (end)"
    }  # fmt: skip


def test_a_phase_that_has_become_slower_is_named_though_the_whole_has_not() -> None:
    now = times(1)
    for key in now:
        now[key] = [time * (1.5 if int(key) % 3 == 2 else 0.8) for time in now[key]]
    assert regressions(run(now), run(times(2))) == {"CPU a move (end)"}


def test_microseconds_are_a_neighbours_doing() -> None:
    assert regressions(run(times(1, scale=0.015)), run(times(2, scale=0.01))) == set()


def test_memory_that_has_grown_is_named() -> None:
    assert regressions(run(times(1), memory=40 << 20), run(times(2), memory=20 << 20)) == {"peak memory"}
    assert regressions(run(times(1), memory=3 << 18), run(times(2), memory=1 << 18)) == set(), "pages come and go"


def test_on_another_machine_times_are_scaled_by_the_calibration() -> None:
    elsewhere = Machine("a slow chip", 1, "3.11.7", "Linux x86_64")
    then = run(times(2))
    slow_machine = run(times(1, scale=3.0), machine=elsewhere, loop=0.006)
    assert regressions(slow_machine, then) == set()
    slow_file = run(times(1, scale=6.0), machine=elsewhere, loop=0.006)
    assert "CPU a move" in regressions(slow_file, then)
    assert not baseline.held_against(slow_file, then, "before.json").same_machine


def test_the_same_machine_on_a_bad_day_blames_nobody() -> None:
    assert regressions(run(times(1, scale=1.5), loop=0.003), run(times(2))) == set()


def test_a_single_file_is_held_against_a_single_one_of_another_name_else_names_decide() -> None:
    then, now = run(times(1), name="old"), run(times(2), name="new")
    assert baseline.held_against(now, then, "").changes
    both = msgspec.structs.replace(now, files=[now.files[0], then.files[0]])
    found = baseline.held_against(both, then, "")
    assert (found.without, {change.name for change in found.changes}) == (["new"], {"old"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not what `referee bench --json` prints"),
        ("{}", "is not what `referee bench --json` prints"),
        ("[" * 100_000, "is not what `referee bench --json` prints"),
        (msgspec.json.encode(run(times(1))).decode().replace('"fish"', '"q"'), "a benchmark of q, not of fish"),
        (msgspec.json.encode(run(times(1))).decode().replace('"format":1', '"format":9'), "format 9"),
        (msgspec.json.encode(run(times(1), loop=0.0)).decode(), "Expected `float` > 0"),
    ],
)
def test_a_baseline_that_is_none_is_refused_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    place = tmp_path / "before.json"
    place.write_text(text)
    with pytest.raises(baseline.BaselineError, match=said):
        baseline.read(str(place), "fish")
