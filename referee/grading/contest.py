"""Whether a submission beats an opponent: games from every seat, as many as it takes to tell which band it is in."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from typing import Any

import msgspec

from referee import record
from referee.games.game import Game
from referee.match import Entrant, Terms, derived
from referee.record import Record
from referee.referee import Referee, Result
from referee.timing.machine import calibration
from referee.tournament.outcome import Outcome
from sandbox import Budget, Ending, Verdict, Zygote

NOISE = 0.10  # by which a measurement may be off
LATE = (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT)
_PATIENCE = 3  # timeouts, after which the rest counts as lost
_MORE = 4  # times the games, while it is near a band
_Z = 1.96  # standard deviations to either side: 95 %


class Kick(msgspec.Struct, frozen=True):
    """A game in which the submission was kicked."""

    player: str
    verdict: Verdict
    turn: int
    record: Record
    output: str


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How the games went; those not played because of timeouts are lost."""

    games: int
    points: float  # one a win, half a tie; where several sit against it, of each an equal part
    kicks: tuple[Kick, ...] = ()
    ended: bool = False  # before its time, by timeouts

    @property
    def rate(self) -> float:
        return self.points / self.games

    def interval(self) -> tuple[float, float]:
        """Where the true rate is, with 95 % confidence (Wilson's score interval)."""
        n, rate, extra = self.games, self.rate, _Z**2 / self.games
        middle, spread = rate + extra / 2, _Z * math.sqrt(rate * (1 - rate) / n + extra / (4 * n))
        return max(0.0, (middle - spread) / (1 + extra)), min(1.0, (middle + spread) / (1 + extra))

    def decided(self, rates: Sequence[float]) -> float:
        """The rate that counts: where the games cannot tell on which side of a limit it is, the better side."""
        low, high = self.interval()
        if self.ended:
            return self.rate
        return max([self.rate, *(rate for rate in rates if low < rate <= high)])

    def is_near(self, rates: Sequence[float]) -> bool:
        low, high = self.interval()
        return any(low < rate <= high for rate in rates)


class Pace:
    """How fast the machine is now, held against how fast it is when it can."""

    def __init__(self) -> None:
        self._best = min(calibration() for _ in range(3))

    def longer(self, terms: Terms) -> Terms:
        """With as much more time as the machine may be off."""
        times = 1 + min(max(NOISE, calibration() / self._best - 1), 1.0)

        def stretched(budget: Budget) -> Budget:
            return Budget(cpu=budget.cpu * times, wall=budget.wall * times)

        return msgspec.structs.replace(terms, move=stretched(terms.move), setup=stretched(terms.setup))


class Contest:
    """A submission against one opponent, who takes all the other seats of the smallest table."""

    def __init__(self, game: Game, config: Any, seed: int, terms: Terms, zygote: Zygote, pace: Pace) -> None:
        self._game = game
        self._config = config
        self._seed = seed
        self._terms = terms
        self._zygote = zygote
        self._pace = pace

    def hold(self, candidate: Entrant, opponent: Entrant, games: int, rates: Sequence[float]) -> Score:
        """So many games, and up to four times as many while one of the rates is within the interval."""
        points, kicks = 0.0, list[Kick]()
        for played in range(1, _MORE * games + 1):
            result, recorded = self._fair(candidate, opponent, played - 1)
            points += _points(candidate, result)
            kicks += [
                Kick(candidate.name, kicked.verdict, kicked.turn, recorded, result.output[candidate.name])
                for kicked in result.kicked
                if kicked.player == candidate.name
            ]
            if sum(kick.verdict.ending in LATE for kick in kicks) >= _PATIENCE:
                planned = -(-played // games) * games
                return Score(games=planned, points=points, kicks=tuple(kicks), ended=True)
            score = Score(games=played, points=points, kicks=tuple(kicks))
            if played % games == 0 and not score.is_near(rates):
                break
        return score

    def _fair(self, candidate: Entrant, opponent: Entrant, number: int) -> tuple[Result, Record]:
        """One game. A timeout counts only if it comes again with as much more time as the machine may be off."""
        result, recorded = self._played(candidate, opponent, number, self._terms)
        if _timed_out(candidate, result):
            again, recorded_again = self._played(candidate, opponent, number, self._pace.longer(self._terms))
            if not _timed_out(candidate, again):
                return again, recorded_again
        return result, recorded

    def _played(self, candidate: Entrant, opponent: Entrant, number: int, terms: Terms) -> tuple[Result, Record]:
        """The number decides the seat and, for a whole turn of the table, the deal."""
        size = self._game.seats[0]
        seat = number % size
        others = [msgspec.structs.replace(opponent, name=f"opponent-{other}") for other in range(1, size)]
        with tempfile.TemporaryDirectory(prefix="referee-") as folder:
            place = os.path.join(folder, "game.jsonl")
            result = Referee(
                self._game,
                [*others[:seat], candidate, *others[seat:]],
                config=self._config,
                seed=derived(self._seed, "beats", opponent.given, number // size) >> 11,
                terms=terms,
                zygote=self._zygote,
                record=place,
            ).run()
            return result, record.read(place)


def _points(candidate: Entrant, result: Result) -> float:
    ranking = tuple(tuple(rank) for rank in result.ranking)
    return Outcome(number=0, seats=result.state.players, ranking=ranking).points()[candidate.name]


def _timed_out(candidate: Entrant, result: Result) -> bool:
    return any(kicked.player == candidate.name and kicked.verdict.ending in LATE for kicked in result.kicked)
