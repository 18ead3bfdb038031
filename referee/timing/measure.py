"""Asks every file about every position in the box, in turn, and keeps what each answer cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from referee.games.game import Game
from referee.match import Entrant, Terms, derived
from referee.player import Boxed
from referee.recorder import encode
from referee.referee import boxed
from referee.timing.machine import calibration
from referee.timing.positions import Position, Sitting
from referee.timing.summary import Times
from sandbox import Ending, Misconduct, Verdict, Zygote

_LATE = (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT)
_PATIENCE = 3  # timeouts of one file, after which it is not asked any more


class Failure(msgspec.Struct, kw_only=True):
    """One way in which a file failed, and at which positions; none while it was loaded."""

    verdict: Verdict
    positions: list[str] = []
    count: int = 0

    def is_like(self, verdict: Verdict) -> bool:
        """Where in its loop somebody runs out of time is chance."""
        mine = self.verdict
        same = (mine.ending, mine.method, mine.file) == (verdict.ending, verdict.method, verdict.file)
        return same and (mine.ending in _LATE or mine.line == verdict.line)


class Timings(msgspec.Struct, kw_only=True):
    """What one file did; times are CPU seconds, one a repeat."""

    entrant: Entrant
    moves: Times = {}
    answers: dict[str, list[Any]] = {}  # each different one once, in the order they came
    loads: list[float] = []
    memory: int = 0  # bytes at the peak
    failures: list[Failure] = []
    timeouts: int = 0
    given_up: str = ""  # why it was not asked to the end

    def fail(self, verdict: Verdict, position: Position | None) -> None:
        failure = next((known for known in self.failures if known.is_like(verdict)), None)
        if failure is None:
            self.failures.append(failure := Failure(verdict=verdict))
        failure.count += 1
        if position is not None and position.id not in failure.positions:
            failure.positions.append(position.id)
        self.timeouts += verdict.ending in _LATE
        if position is None:
            self.given_up = "it does not load"
        elif self.timeouts == _PATIENCE:
            self.given_up = f"it ran out of time {_PATIENCE} times"

    def answered(self, position: Position, answer: Any, cpu: float) -> None:
        self.moves.setdefault(position.id, []).append(cpu)
        known = self.answers.setdefault(position.id, [])
        if encode(answer) not in map(encode, known):
            known.append(answer)


class Measurement(msgspec.Struct, frozen=True):
    """All that was measured, and how fast the machine was meanwhile."""

    timings: list[Timings]
    calibrations: list[float]


def measure(
    game: Game,
    entrants: Sequence[Entrant],
    sittings: Sequence[Sitting],
    repeat: int,
    *,
    seed: int,
    terms: Terms,
    zygote: Zygote,
    told: Callable[[int, int], None] = lambda done, planned: None,
) -> Measurement:
    """Everybody sits down everywhere, `repeat` times; `told` hears how far it is.

    The files take turns sitting by sitting, in this order and then in the other, so that whatever slows the machine
    for a while slows all of them. Nothing changes from one repeat to the next, the random numbers neither.
    """
    timings = [Timings(entrant=entrant) for entrant in entrants]
    calibrations: list[float] = []
    planned = repeat * len(sittings)
    for done in range(planned):
        told(done, planned)
        calibrations.append(calibration())
        sitting = sittings[done % len(sittings)]
        for one in timings if done % 2 == 0 else reversed(timings):
            _sit(game, one, sitting, derived(seed, "sitting", sitting.number), terms, zygote)
    told(planned, planned)
    return Measurement(timings, calibrations)


def _sit(game: Game, timings: Timings, sitting: Sitting, seed: int, terms: Terms, zygote: Zygote) -> None:
    """Ask until all is answered; whoever fails goes on with the next position in a fresh worker."""
    rest = sitting.positions
    while rest and not timings.given_up:
        try:
            player = boxed(zygote, game, timings.entrant, terms, seed)
        except Misconduct as misconduct:
            timings.memory = max(timings.memory, misconduct.usage.peak_memory)
            timings.fail(misconduct.verdict, None)
            return
        zygote.settle()  # the next worker is made on the same core: not while this one is timed
        timings.loads.append(player.usage.cpu)
        try:
            rest = _ask(player, timings, Sitting(sitting.number, rest), terms)
        finally:
            player.leave()
            timings.memory = max(timings.memory, player.usage.peak_memory)


def _ask(player: Boxed, timings: Timings, sitting: Sitting, terms: Terms) -> tuple[Position, ...]:
    """What is left to ask when it has answered or failed."""
    for number, position in enumerate(sitting.positions):
        ask = position.ask
        try:
            if number == 0 and player.defines("setup") and (setup := sitting.setup()) is not None:
                player.ask(setup.method, setup.view, setup.reply, terms.budget(setup.method))
            answer = player.ask(ask.method, ask.view, ask.reply, terms.budget(ask.method))
            cpu = player.last.cpu
            if (why := position.state.check(answer)) is not None:
                raise Misconduct(Verdict.of(Ending.ILLEGAL_MOVE, why, ask.method))
        except Misconduct as misconduct:
            timings.fail(misconduct.verdict, position)
            return sitting.positions[number + 1 :]
        timings.answered(position, answer, cpu)
    return ()
