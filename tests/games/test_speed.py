"""The benchmark of the rules plays real games, the same ones each time."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import pytest

from bench import rules


@pytest.mark.parametrize("game", rules.GAMES)
def test_a_playout_is_a_whole_game_that_repeats(game: str) -> None:
    playout: Callable[[int], int] = importlib.import_module(f"bench.rules_{game}").playout
    lengths = [playout(seed) for seed in range(3)]
    assert lengths == [playout(seed) for seed in range(3)]
    assert min(lengths) > 5
    assert len(set(lengths)) > 1


def test_the_figures_are_times_and_ratios_to_the_same_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "ROUNDS", 1)
    monkeypatch.setattr(rules, "ROUND_SECONDS", 0.01)
    figures = rules.measure()
    for game in rules.GAMES:
        ratio = figures[f"{game}_us_per_ply"] / figures["calibration_us_per_step"]
        assert figures[f"{game}_ratio"] == pytest.approx(ratio)
