"""What a whole game costs in boxes, against the same game with the same strategies in this process."""

from __future__ import annotations

import importlib
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee import games
from referee.match import Entrant
from referee.player import Trusted
from referee.referee import Referee, Result, zygote_for
from sandbox import Submission, Worker, Zygote

_STRATEGIES = {"fish": "greedy", "q": "dag", "tsuro": "second"}
_SEATS = 4
_ROUNDS = 15
_PLAYERS = Path(__file__).parents[1] / "players"


def measure() -> dict[str, Any]:
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return {name: _measure_game(name, core) for name in _STRATEGIES}


def _measure_game(name: str, core: int) -> dict[str, float]:
    game, strategy = games.get(name), _STRATEGIES[name]
    submission = Submission.read(_PLAYERS / name / f"{strategy}.py")
    module = importlib.import_module(f"players.{name}.{strategy}")
    names = [f"{strategy}-{seat}" for seat in range(_SEATS)]
    boxed = [Entrant(seat, submission) for seat in names]
    sandboxed, in_process, turns = [], [], []
    with zygote_for(game, core=core, spares=_SEATS) as zygote:
        for seed in range(_ROUNDS):
            zygote.settle()
            result, seconds = _timed(Referee(game, boxed, seed=seed, zygote=zygote).run)
            sandboxed.append(seconds)
            trusted = [Entrant(seat, sit=Trusted.seat(module.Strategy())) for seat in names]
            same, seconds = _timed(Referee(game, trusted, seed=seed).run)
            in_process.append(seconds)
            if result.ranking != same.ranking or result.kicked:
                raise RuntimeError(f"{name}, seed {seed}: the box changed the game: {result.ranking}, {same.ranking}")
            turns.append(result.state.turn)
        parts = _where_the_time_goes(lambda seed: Referee(game, boxed, seed=seed, zygote=zygote).run(), zygote)
    milliseconds = 1e3 * statistics.median(sandboxed)
    bare = 1e3 * statistics.median(in_process)
    moves = statistics.median(turns)
    return {
        "sandboxed_ms": milliseconds,
        "in_process_ms": bare,
        "ratio": milliseconds / bare,
        "moves_per_s": 1e3 * moves / milliseconds,
        "turns": moves,
        "overhead_us_per_turn": 1e3 * (milliseconds - bare - parts["spawn_ms"] - parts["kill_ms"]) / moves,
        **parts,
    }


def _timed(action: Callable[[], Result]) -> tuple[Result, float]:
    begun = time.perf_counter()
    result = action()
    return result, time.perf_counter() - begun


def _where_the_time_goes(play: Callable[[int], Result], zygote: Zygote) -> dict[str, float]:
    """Milliseconds of a game in each part; a run of its own, since looking costs something."""
    games_played: list[dict[str, float]] = []
    for seed in range(_ROUNDS):
        zygote.settle()
        with _stopwatch({"spawn": (Zygote, "spawn"), "turns": (Worker, "call"), "kill": (Worker, "kill")}) as spent:
            begun = time.perf_counter()
            play(seed)
            spent["rules"] = time.perf_counter() - begun - sum(spent.values())
        games_played.append(spent)
    return {
        f"{part}_ms": 1e3 * statistics.median(spent[part] for spent in games_played)
        for part in ("spawn", "turns", "rules", "kill")
    }


@contextmanager
def _stopwatch(parts: dict[str, tuple[type, str]]) -> Iterator[dict[str, float]]:
    """While it lasts, the seconds spent in each of these methods are added up."""
    spent = dict.fromkeys(parts, 0.0)
    originals = {part: getattr(owner, method) for part, (owner, method) in parts.items()}

    def watch(part: str) -> Callable[..., Any]:
        original = originals[part]

        def watched(*arguments: Any, **options: Any) -> Any:
            begun = time.perf_counter()
            try:
                return original(*arguments, **options)
            finally:
                spent[part] += time.perf_counter() - begun

        return watched

    for part, (owner, method) in parts.items():
        setattr(owner, method, watch(part))
    try:
        yield spent
    finally:
        for part, (owner, method) in parts.items():
            setattr(owner, method, originals[part])
