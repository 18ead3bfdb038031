"""A game that is stopped by a signal, at any moment: a clear message, no orphan, and what was written is readable."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.record import read
from tests.referee.table import SLEEPS

ROOT = Path(__file__).parents[2]


def signalled(record: Path, *signals: int, **moment: Any) -> dict[str, Any]:
    """A game of two files that stands still in the middle; what became of it when the signals came."""
    sleeps = record.with_name("sleeps.py")
    sleeps.write_text(SLEEPS)
    command = ["-m", "referee", "play", "fish", str(sleeps), f"b={sleeps}", "--time=100", f"--record={record}"]
    order = {"command": [sys.executable, *command], "signals": signals, "file": str(record), **moment}
    done = subprocess.run(
        [sys.executable, "-m", "tests.referee.supervisor", json.dumps(order)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


MOMENTS: dict[str, dict[str, Any]] = {
    "when the zygote starts": {"children": 1},
    "when workers are there": {"children": 4},
    "when the header was written": {"lines": 1},
    "in an early turn": {"lines": 4},
    "while a player thinks": {"lines": 15},
}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_ends_the_game_with_a_message_and_leaves_nothing(
    number: signal.Signals, moment: str, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    told = signalled(record, number, **MOMENTS[moment])
    assert told["code"] == 128 + number, told
    assert "Stopped" in told["stderr"]
    assert "Traceback" not in told["stderr"]
    assert told["stdout"] == ""
    assert told["running"] >= 2
    assert told["left"] == []
    if record.exists() and record.stat().st_size:
        found = read(record)
        found.verify()
        assert found.result is None
        assert found.turns >= MOMENTS[moment].get("lines", 1) - 1


def sweep(record: Path, number: int, seconds: float) -> None:
    """Whatever the moment is: nothing is left, and what was written is readable."""
    told = signalled(record, number, seconds=seconds)
    assert told["left"] == []
    # While Python itself still starts, the command cannot say anything; nor is there anything to be left then.
    assert "Stopped" in told["stderr"] or told["running"] == 1, told
    if record.exists() and record.stat().st_size:
        read(record).verify()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.2, 0.3, 0.4])
def test_a_signal_may_come_at_any_moment(number: signal.Signals, seconds: float, tmp_path: Path) -> None:
    sweep(tmp_path / "game.jsonl", number, seconds)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_may_come_at_any_of_a_hundred_moments(number: signal.Signals, tmp_path: Path) -> None:
    for step in range(100):
        sweep(tmp_path / f"{step}.jsonl", number, step * 0.006)


@pytest.mark.parametrize("signals", [(signal.SIGINT,) * 3, (signal.SIGTERM,) * 3, (signal.SIGTERM, signal.SIGINT)])
def test_a_second_signal_on_the_way_out_leaves_nothing_either(signals: tuple[int, ...], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    told = signalled(record, *signals, lines=15)
    assert told["code"] != 0
    assert told["left"] == []
    read(record).verify()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_referee_that_is_killed_leaves_a_readable_beginning_and_no_orphan(moment: str, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    told = signalled(record, signal.SIGKILL, **MOMENTS[moment])
    assert told["code"] == -signal.SIGKILL
    assert told["left"] == []
    if "lines" in MOMENTS[moment]:
        found = read(record)
        found.verify()
        assert found.result is None
        assert found.turns >= MOMENTS[moment]["lines"] - 1
