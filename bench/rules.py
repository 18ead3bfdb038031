"""`python -m bench rules`: what one ply of a random game costs in each game's real `State`."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable

GAMES = ("fish", "q", "tsuro")
ROUNDS = 7
ROUND_SECONDS = 0.15  # long enough for dozens of Fish games and at least one of every other
CALIBRATION_STEPS = 10_000


def calibration() -> int:
    """A fixed amount of plain Python: small integers, a list, a dictionary, a call."""
    counts: dict[int, int] = {}
    cells = list(range(64))
    total = 0
    for step in range(CALIBRATION_STEPS):
        cell = cells[step * 7 & 63]
        counts[cell] = counts.get(cell, 0) + 1
        total ^= cell << (step & 15)
    return total + len(counts)


def measure() -> dict[str, float]:
    """Microseconds of CPU a ply, and as multiples of the calibration loop's cost of one step.

    The loop and the games take turns, so that a machine that slows down slows them all; of each the least
    disturbed round counts.
    """
    playouts: dict[str, Callable[[int], int]] = {
        game: importlib.import_module(f"bench.rules_{game}").playout for game in GAMES
    }
    for playout in playouts.values():
        playout(0)  # builds the tables that a board's shape fixes for good
    best = dict.fromkeys(("calibration", *GAMES), float("inf"))
    for turn in range(ROUNDS):
        for game, playout in playouts.items():
            best["calibration"] = min(best["calibration"], _calibrated())
            best[game] = min(best[game], _us_per_ply(playout, turn))
    step = best.pop("calibration")
    figures = {f"{game}_us_per_ply": us for game, us in best.items()}
    figures |= {f"{game}_ratio": us / step for game, us in best.items()}
    return figures | {"calibration_us_per_step": step}


def _calibrated() -> float:
    start = time.process_time_ns()
    for _ in range(10):
        calibration()
    return (time.process_time_ns() - start) / 1000 / (10 * CALIBRATION_STEPS)


def _us_per_ply(playout: Callable[[int], int], turn: int) -> float:
    plies = 0
    seed = turn * 1_000_000
    start = time.process_time_ns()
    end = start + ROUND_SECONDS * 1e9
    while (now := time.process_time_ns()) < end:
        plies += playout(seed)
        seed += 1
    return (now - start) / 1000 / plies
