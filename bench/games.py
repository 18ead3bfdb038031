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

        def play_boxed(seed: int) -> Result:
            return Referee(game, boxed, seed=seed, zygote=zygote).run()

        def play_in_process(seed: int) -> Result:
            trusted = [Entrant(seat, sit=Trusted.seat(module.Strategy())) for seat in names]
            return Referee(game, trusted, seed=seed).run()

        for seed in range(_ROUNDS):
            zygote.settle()
            result, seconds = _timed(play_boxed, seed)
            sandboxed.append(seconds)
            same, seconds = _timed(play_in_process, seed)
            in_process.append(seconds)
            if result.ranking != same.ranking or result.kicked:
                raise RuntimeError(f"{name}, seed {seed}: the box changed the game: {result.ranking}, {same.ranking}")
            turns.append(result.state.turn)
        zygote.settle()
        begun = time.perf_counter()
        for seed in range(_ROUNDS):
            play_boxed(seed)
        back_to_back = (time.perf_counter() - begun) / _ROUNDS  # with the making of the next game's workers
        watched = {"spawn": (Zygote, "spawn"), "turns": (Worker, "call"), "kill": (Worker, "kill")}
        parts = _where_the_time_goes(play_boxed, watched, zygote)
        calls = _where_the_time_goes(play_in_process, {"turns": (Trusted, "ask")}, zygote)
    milliseconds = 1e3 * statistics.median(sandboxed)
    bare = 1e3 * statistics.median(in_process)
    moves = statistics.median(turns)
    return {
        "sandboxed_ms": milliseconds,
        "in_process_ms": bare,
        "back_to_back_ms": 1e3 * back_to_back,
        "ratio": milliseconds / bare,
        "moves_per_s": 1e3 * moves / milliseconds,
        "turns": moves,
        "overhead_us_per_turn": 1e3 * (parts["turns_ms"] - calls["turns_ms"]) / moves,
        **parts,
    }


def _timed(play: Callable[[int], Result], seed: int) -> tuple[Result, float]:
    begun = time.perf_counter()
    result = play(seed)
    return result, time.perf_counter() - begun


def _where_the_time_goes(
    play: Callable[[int], Result], watched: dict[str, tuple[type, str]], zygote: Zygote
) -> dict[str, float]:
    """Milliseconds of a game in each part; a run of its own, since looking costs something."""
    games_played: list[dict[str, float]] = []
    for seed in range(_ROUNDS):
        zygote.settle()
        with _stopwatch(watched) as spent:
            begun = time.perf_counter()
            play(seed)
            spent["rules"] = time.perf_counter() - begun - sum(spent.values())
        games_played.append(spent)
    return {
        f"{part}_ms": 1e3 * statistics.median(spent[part] for spent in games_played) for part in (*watched, "rules")
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
