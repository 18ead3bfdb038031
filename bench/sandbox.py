"""What the box costs: a worker against a bare process, a turn against a bare pipe.

Everything runs on one core, and what is compared is run in turn, so that noise falls on both.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import psutil

from sandbox import Budget, Worker, Zygote

_STRATEGY = """
class Strategy:
    def take_turn(self, view):
        return [view["row"], view["column"]]
"""
_VIEW = {"row": 3, "column": 4, "board": list(range(100)), "players": ["ann", "bob"], "note": "x" * 60}
_ROUNDS = 60
_TURNS = 2000
_BUDGET = Budget(cpu=5.0)


class Action(msgspec.Struct, array_like=True):
    row: int
    column: int


def measure() -> dict[str, Any]:
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder, "bot.py")
        bot.write_text(_STRATEGY)
        figures = _spawning(bot, core)
        figures |= _turns(bot, core)
    return figures


def _spawning(bot: Path, core: int) -> dict[str, Any]:
    bare, warm, cold, kill, wrapped = [], [], [], [], []
    bubblewrap = shutil.which("bwrap")
    with Zygote(core=core) as zygote, Zygote(core=core, spares=0) as without_spares:
        for _ in range(_ROUNDS):
            bare.append(_timed(_bare_process))
            worker, seconds = _spawn(zygote, bot)
            warm.append(seconds)
            kill.append(_timed(worker.kill))
            worker, seconds = _spawn(without_spares, bot)
            cold.append(seconds)
            worker.kill()
            if bubblewrap:
                wrapped.append(_timed(lambda: _bubblewrapped(bubblewrap)))
        memory = _unique_memory(zygote, bot)
    floor = statistics.median(bare)
    figures: dict[str, Any] = {
        "spawn_ratio": statistics.median(warm) / floor,
        "spawn_without_spare_ratio": statistics.median(cold) / floor,
        "spawn_ms": 1e3 * statistics.median(warm),
        "spawn_without_spare_ms": 1e3 * statistics.median(cold),
        "bare_process_ms": 1e3 * floor,
        "kill_ms": 1e3 * statistics.median(kill),
        "memory_per_worker_mb": memory / 1e6,
    }
    if wrapped:
        figures["bubblewrap_ratio"] = statistics.median(wrapped) / floor
    return figures


def _spawn(zygote: Zygote, bot: Path) -> tuple[Worker, float]:
    begun = time.perf_counter()
    worker = zygote.spawn(bot, required=["take_turn"])
    seconds = time.perf_counter() - begun
    zygote.settle()  # the next spare, if any, is made between games
    return worker, seconds


def _timed(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def _bare_process() -> None:
    python = os.path.realpath(sys.executable)
    os.waitpid(os.posix_spawn(python, [python, "-I", "-S", "-c", "pass"], {}), 0)


def _bubblewrapped(bubblewrap: str) -> None:
    python = os.path.realpath(sys.executable)
    jail = [bubblewrap, "--unshare-all", "--ro-bind", "/", "/", "--die-with-parent"]
    subprocess.run([*jail, python, "-I", "-S", "-c", "pass"], check=True, stderr=subprocess.DEVNULL)


def _unique_memory(zygote: Zygote, bot: Path) -> float:
    """Bytes that one worker holds for itself alone; its init shares all with the zygote."""
    with zygote.spawn(bot) as worker:
        worker.call("take_turn", _VIEW, budget=_BUDGET)
        return float(psutil.Process(worker.pid).memory_full_info().uss)


def _turns(bot: Path, core: int) -> dict[str, Any]:
    ratios, turns, raw = [], [], []
    down = 9 + 10 + len(msgspec.msgpack.encode(_VIEW))
    up = 9 + len(msgspec.msgpack.encode([3, 4]))
    with Zygote(core=core) as zygote, zygote.spawn(bot) as worker:
        for _ in range(15):
            floor = _ping_pong(down, up)
            begun = time.perf_counter()
            for _ in range(_TURNS):
                worker.call("take_turn", _VIEW, budget=_BUDGET, reply=Action)
            turn = (time.perf_counter() - begun) / _TURNS
            turns.append(turn)
            raw.append(floor)
            ratios.append(turn / floor)
    return {
        "turn_ratio": statistics.median(ratios),
        "turn_us": 1e6 * statistics.median(turns),
        "pipe_us": 1e6 * statistics.median(raw),
        "question_bytes": down,
        "answer_bytes": up,
    }


def _ping_pong(down: int, up: int) -> float:
    """Seconds for a round trip of the same bytes between two processes on this core."""
    ask, hear = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(ask[1])
            while os.read(ask[0], 65536):
                os.write(hear[1], b"a" * up)
        finally:
            os._exit(0)
    os.close(ask[0])
    question = b"q" * down
    begun = time.perf_counter()
    for _ in range(_TURNS):
        os.write(ask[1], question)
        os.read(hear[0], 65536)
    seconds = (time.perf_counter() - begun) / _TURNS
    os.close(ask[1])
    os.waitpid(child, 0)
    for descriptor in hear:
        os.close(descriptor)
    return seconds
