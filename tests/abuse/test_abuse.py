"""Every hostile file meets its fate, with all layers on and with any one of them off."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from referee import games
from sandbox import ALL_LAYERS, Layer, Zygote
from tests.abuse import harness
from tests.abuse.case import HOSTILE, Case
from tests.abuse.table import CASES, layer_to_try_without
from tests.abuse.tail import TAIL
from tests.conformance.table import play

LAYERS = sorted(Layer)


@pytest.fixture(scope="module", autouse=True)
def _zygotes() -> Iterator[None]:
    yield
    harness.close()


def meets_its_fate(case: Case, layers: frozenset[Layer]) -> None:
    if not harness.expects_stop(case, layers) and layers == ALL_LAYERS:
        pytest.skip("this machine lacks the only layer that knows of it")
    outcome = harness.run(case, layers)
    due = " or ".join(sorted(case.accepted))
    assert outcome.fits(case, layers), f"{outcome.result} where {due} was due: {outcome.detail}"


def without(layer: Layer) -> frozenset[Layer]:
    if layer not in harness.zygote(ALL_LAYERS).layers:
        pytest.skip(f"{layer} is not on here")
    if harness.in_effect(ALL_LAYERS) != ALL_LAYERS:
        pytest.skip("this machine lacks a layer already: without another, rogues would be let loose on it")
    return ALL_LAYERS - {layer}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_rogue_meets_its_fate(case: Case) -> None:
    meets_its_fate(case, ALL_LAYERS)


@pytest.mark.parametrize(
    ("case", "layer"),
    [pytest.param(case, layer_to_try_without(case), id=case.id) for case in CASES],
)
def test_a_rogue_is_stopped_without_one_of_the_layers_that_know_of_it(case: Case, layer: Layer) -> None:
    meets_its_fate(case, without(layer))


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_rogue_is_stopped_without_any_one_layer(case: Case, layer: Layer) -> None:
    meets_its_fate(case, without(layer))


@pytest.mark.parametrize("name", games.names())
def test_a_rogue_that_was_stopped_plays_any_game_to_its_end(name: str) -> None:
    attacks = []

    def attack() -> None:
        attacks.append(1)
        raise OSError("stopped")

    game = games.get(name)
    rogue = ModuleType("rogue")
    rogue.__dict__["attack"] = attack
    exec(TAIL, rogue.__dict__)
    seats = [f"rogue {seat}" for seat in range(game.seats.start)]
    end = play(game.setup(seats, seed=1), dict.fromkeys(seats, rogue))
    assert end.is_over
    assert end.kicked == ()
    assert len(attacks) == 1


@pytest.mark.parametrize("off", [None, Layer.NAMESPACES, Layer.SECCOMP])
def test_a_rogue_that_would_outlive_its_zygote_does_not(off: Layer | None, tmp_path: Path) -> None:
    layers = without(off) if off else ALL_LAYERS
    (case,) = (case for case in CASES if case.id == "process_outlive_parent")
    with Zygote(layers=layers, accept_missing_layers=True) as zygote:
        worker = zygote.spawn(harness.submission(case, tmp_path))
        assert worker.call("probe") is None
        rogue = psutil.Process(worker.pid)
        os.kill(zygote.pid, signal.SIGKILL)
        rogue.wait(10)


def test_two_files_of_one_name_play_each_as_itself(tmp_path: Path) -> None:
    workers = []
    for number in range(2):
        path = tmp_path / str(number) / "bot.py"
        path.parent.mkdir()
        path.write_text(f"def who(view): return [{number}, __file__]\n")
        workers.append(harness.zygote(ALL_LAYERS).spawn(path))
    assert [worker.call("who") for worker in workers] == [[0, "bot.py"], [1, "bot.py"]]
    for worker in workers:
        worker.kill()


def test_every_file_of_the_gallery_is_in_the_table() -> None:
    assert {path.stem for path in HOSTILE.glob("*.py")} == {case.file for case in CASES if case.make is None}


def test_no_two_cases_share_a_name() -> None:
    assert [name for name, times in Counter(case.id for case in CASES).items() if times > 1] == []


def test_the_gallery_holds_a_hundred_rogues() -> None:
    assert len(CASES) >= 100
