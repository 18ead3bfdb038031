"""`python -m players.table GAME`: every pair of a game's reference players, as a table of win rates.

Games are played in process. A pair plays each board once in every order of seats before the next board; seats
beyond two are taken by `random`. A game counts for whoever of the two is ranked better, half when they tie;
a player that was kicked is behind everyone.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import math
import pkgutil
import random
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from referee import games
from referee.games.game import Game, Illegal, State

FILLER = "random"


class Score(NamedTuple):
    """How the first of a pair did against the second."""

    won: int
    tied: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def rate(self) -> float:
        return (self.won + self.tied / 2) / self.games


class Clock:
    """The CPU time of one player's moves."""

    def __init__(self) -> None:
        self.moves = 0
        self.total = 0.0
        self.worst = 0.0

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)


def wilson(rate: float, games: int) -> tuple[float, float]:
    """The 95% interval of a proportion."""
    z = 1.96
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def build(game: str, spec: str) -> Any:
    """A fresh strategy from a name such as `minimax` or `minimax:depth=3`."""
    name, _, options = spec.partition(":")
    pairs = (option.partition("=") for option in options.split(",") if option)
    settings = {key: int(value) for key, _, value in pairs}
    return importlib.import_module(f"players.{game}.{name}").Strategy(**settings)


def play(state: State, strategies: dict[str, Any], clocks: dict[str, Clock]) -> State:
    """One game to its end. An illegal move gets its player kicked; an exception is a bug and comes out."""
    while (ask := state.ask()) is not None:
        strategy = strategies[ask.player]
        if ask.reply is None:
            if hasattr(strategy, ask.method):
                getattr(strategy, ask.method)(ask.view)
            state = state.commit(None)
            continue
        start = time.process_time()
        answer = getattr(strategy, ask.method)(ask.view)
        clocks[ask.player].add(time.process_time() - start)
        try:
            state = state.commit(answer)
        except Illegal:
            state = state.kick(ask.player)
    return state


def rank_of(player: str, state: State) -> int:
    ranking = state.ranking()
    return next((rank for rank, tie in enumerate(ranking) if player in tie), len(ranking))


def compare(game: Game, config: Any, pair: tuple[str, str], count: int, seed: int, clocks: dict[str, Clock]) -> Score:
    """`count` games of a pair; the boards depend on the seed alone: all pairs meet on the same ones."""
    seats = [*pair, *[FILLER] * (game.seats.start - 2)]
    orders = list(itertools.permutations(range(len(seats))))
    won = tied = lost = 0
    for number in range(count):
        board, order = divmod(number, len(orders))
        random.seed(f"{seed} {number}")  # what strategies draw from
        names = ["AB"[seat] if seat < 2 else f"filler {seat}" for seat in orders[order]]
        specs = {name: seats[seat] for name, seat in zip(names, orders[order], strict=True)}
        end = play(
            game.setup(names, config, seed * 1_000_003 + board),
            {name: build(game.name, spec) for name, spec in specs.items()},
            {name: clocks[spec] for name, spec in specs.items()},
        )
        first, second = rank_of("A", end), rank_of("B", end)
        won, tied, lost = won + (first < second), tied + (first == second), lost + (first > second)
    return Score(won, tied, lost)


def table(game: Game, config: Any, specs: list[str], count: int, seed: int) -> Iterator[str]:
    """The lines of two Markdown tables: each pair's results, then what a move costs each player."""
    clocks = {spec: Clock() for spec in {*specs, FILLER}}
    yield "| player | against | won | tied | lost | rate | 95% interval |"
    yield "|---|---|--:|--:|--:|--:|---|"
    for pair in itertools.combinations(specs, 2):
        score = compare(game, config, pair, count, seed, clocks)
        low, high = wilson(score.rate, score.games)
        yield (
            f"| {pair[0]} | {pair[1]} | {score.won} | {score.tied} | {score.lost} "
            f"| {score.rate:.1%} | {low:.1%} to {high:.1%} |"
        )
    yield ""
    yield "| player | moves | mean CPU | longest CPU |"
    yield "|---|--:|--:|--:|"
    for spec in specs:
        clock = clocks[spec]
        mean = clock.total / max(clock.moves, 1)
        yield f"| {spec} | {clock.moves} | {mean * 1e3:.2f} ms | {clock.worst * 1e3:.1f} ms |"


def everyone(game: str) -> list[str]:
    """All reference players of a game, the strong one first."""
    folder = importlib.import_module(f"players.{game}").__path__
    found = [module.name for module in pkgutil.iter_modules(folder)]
    return sorted(found, key=lambda name: (name != "strong", name))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m players.table", description=__doc__)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--games", type=int, default=200, help="games a pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", default="{}", help="the game's configuration as JSON")
    parser.add_argument("--players", nargs="+", metavar="NAME[:KEY=VALUE]", help="instead of all")
    options = parser.parse_args()
    game = games.get(options.game)
    config = msgspec.json.decode(options.config, type=game.config)
    for line in table(game, config, options.players or everyone(options.game), options.games, options.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
