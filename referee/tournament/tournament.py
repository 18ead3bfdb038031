"""A tournament under way: rounds from its format, matches to its lanes, outcomes to its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from referee.tournament.formats import FORMATS, expected
from referee.tournament.journal import Journal, JournalError, records_of
from referee.tournament.outcome import Kick, Outcome, Pairing
from referee.tournament.spec import Rooms
from referee.tournament.stage import HOOKS, Call, Job, Report
from referee.tournament.standings import Standing, Table

START, END = HOOKS


class Crew(Protocol):
    """Whoever plays the matches: lanes on this machine, or a cluster."""

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Report]]: ...


class Tournament:
    """Holds the tournament of a journal, from wherever it stands there."""

    def __init__(self, journal: Journal, told: Callable[[Tournament], None] = lambda _: None) -> None:
        self.journal = journal
        self.spec = journal.spec
        self.table = Table(self.spec.names)
        self.scheduled = 0  # matches in the rounds so far, or in all where that is known
        self._told = told
        for _, outcome in journal:
            self.table.add(outcome)

    @property
    def done(self) -> int:
        return self.table.played + self.table.void

    def run(self, crew: Crew) -> None:
        """Play whatever is still to be played."""
        if self.journal.finished:
            return
        out = self._call(crew, [Call(player=name, method=START) for name in self.spec.names])
        field = [name for name in self.spec.names if name not in out]
        places = self._hold(crew, field) if self._can_be_held(field) else [set(field)]
        won = self.table.winners(places, failed=out)
        self._call(crew, [Call(player=name, method=END, won=name in won) for name in field])
        self.journal.finish(places)

    def failures(self) -> dict[str, Kick]:
        """Who failed in a hook of the tournament's."""
        return {player: kick for method in HOOKS for player, kick in self._failed(method).items() if kick.method}

    def broken(self) -> dict[str, Kick]:
        """Whose file does not even load, which every one of its matches will show."""
        return {player: kick for player, kick in self._failed(START).items() if not kick.method}

    def standings(self) -> list[Standing]:
        failed = {player: kick.verdict for player, kick in self.failures().items()}
        return self.table.standings(self.journal.places, failed)

    def winners(self) -> list[str]:
        """Perhaps nobody: a winner that fails when it is told is no winner."""
        return self.table.winners(self.journal.places, self.failures()) if self.journal.finished else []

    def _can_be_held(self, field: Sequence[str]) -> bool:
        """Whether those who are left when the tournament starts are enough, and the ones it is about."""
        plan, leading = self.spec.plan, {"gauntlet": 1, "sprt": 2}.get(self.spec.format, 0)
        fewest = plan.lowest if self.spec.format == "knockout" else plan.seats
        return len(field) >= fewest and tuple(field[:leading]) == self.spec.names[:leading]

    def _hold(self, crew: Crew, field: Sequence[str]) -> list[set[str]] | None:
        format = FORMATS[self.spec.format](field, self.spec.plan)
        try:
            pairings, first = next(format), 0
            while True:
                end = first + len(pairings)
                self.scheduled = max(end, expected(self.spec.format, len(field), self.spec.plan))
                for job, report in crew.do(self._jobs(first, pairings)):
                    self._take_in(job, report)
                pairings, first = format.send(self.journal.outcomes(first, end)), end
        except StopIteration as end:
            places: list[set[str]] | None = end.value
            return places

    def _jobs(self, first: int, pairings: Sequence[Pairing]) -> Iterator[Job]:
        rooms, records = Rooms(self.spec), records_of(self.journal.path)
        known = self.journal.ids(first, first + len(pairings))
        for number, pairing in enumerate(pairings, first):
            match = rooms.match(number, pairing)
            if number not in known:
                yield Job(match=match, record=str(records / f"{number:06}.jsonl"))
            elif known[number] != match.id:
                raise JournalError(
                    f"Match {number} of the journal {self.journal.path} is not the one that is due: the journal was "
                    "changed, or another version of the referee began it. Name another --journal."
                )

    def _take_in(self, job: Job, report: Report) -> None:
        assert job.match is not None
        number, seats = job.match.number, job.match.players
        outcome = report.outcome or Outcome(number=number, seats=seats, void=report.fault)
        if self.journal.add(job.match.id, outcome):
            self.table.add(outcome)
            self._told(self)

    def _call(self, crew: Crew, calls: Sequence[Call]) -> dict[str, Kick]:
        known = self.journal.calls(calls[0].method) if calls else {}
        for job, report in crew.do(Job(call=call) for call in calls if call.player not in known):
            assert job.call is not None
            self.journal.call(job.call.player, job.call.method, report.failure)
        return {player: kick for player, kick in self._failed(calls[0].method).items() if kick.method} if calls else {}

    def _failed(self, method: str) -> dict[str, Kick]:
        return {player: kick for player, kick in self.journal.calls(method).items() if kick is not None}
