"""Where matches are played, one after the other: the players' files, the game, and a zygote, in one process."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any

import msgspec

from referee import games, lane
from referee.match import Entrant
from referee.referee import Referee, Result, zygote_for
from referee.tournament.match import Match, Rules
from referee.tournament.outcome import Kick, Outcome
from sandbox import Misconduct, Verdict, Worker

HOOKS = ("tournament_start", "tournament_end")


class Call(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A hook of the tournament's that a player may define: `tournament_start()`, `tournament_end(won)`."""

    player: str
    method: str
    won: bool | None = None


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Something to do: a match, with where its record goes, or a call."""

    match: Match | None = None
    record: str | None = None
    call: Call | None = None


class Report(lane.Report, frozen=True, kw_only=True):
    """What came of a job."""

    outcome: Outcome | None = None
    failure: Kick | None = None  # of a call


class Stage:
    """Plays matches between these entrants; a context, since it holds a zygote."""

    def __init__(self, rules: Rules, entrants: Iterable[Entrant], core: int | None = None) -> None:
        self._rules = rules
        self._game = games.get(rules.game)
        self._config = msgspec.convert(rules.config, self._game.config)
        self.invite(entrants)
        options: dict[str, Any] = {"accept_missing_layers": rules.accept_missing_layers, "core": core}
        self._making = zygote_for(self._game, rules.terms.allow, spares=self._game.seats[0], **options)

    def __enter__(self) -> Stage:
        self._zygote = self._making.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._making.__exit__(kind, error, trace)

    def invite(self, entrants: Iterable[Entrant]) -> None:
        """Others are to play from now on."""
        self._entrants = {entrant.name: entrant for entrant in entrants}

    def do(self, job: Job) -> Report:
        """Raises RefereeError when it is void."""
        if job.call is not None:
            return Report(failure=self.call(job.call))
        assert job.match is not None
        return Report(outcome=self.play(job.match, job.record))

    def play(self, match: Match, record: str | None = None) -> Outcome:
        """Raises RefereeError when it is void."""
        entrants = [self._entrants[name] for name in match.players]
        referee = Referee(
            self._game,
            entrants,
            config=self._config,
            seed=match.seed,
            terms=self._rules.terms,
            zygote=self._zygote,
            record=record,
        )
        return _outcome(match, referee.run())

    def call(self, call: Call) -> Kick | None:
        """None if all is well, or if it is not defined; the kick of a player that does not load has no method."""
        entrant = self._entrants[call.player]
        hook = call.method if call.won is not None else f"{call.method}()"
        try:
            with self._loaded(entrant, hook) as worker:
                if call.method in worker.methods:
                    worker.call(call.method, call.won, budget=self._rules.terms.setup, reply=None)
        except Misconduct as misconduct:
            kick = _kick(call.player, misconduct.verdict, 0)
            if kick.method or not self._loads(entrant):
                return kick
            return msgspec.structs.replace(kick, method=call.method)  # it can play; its hook alone is no good
        return None

    def _loads(self, entrant: Entrant) -> bool:
        try:
            with self._loaded(entrant):
                return True
        except Misconduct:
            return False

    def _loaded(self, entrant: Entrant, *optional: str) -> Worker:
        assert entrant.source is not None
        terms = self._rules.terms
        return self._zygote.spawn(
            entrant.source,
            name=entrant.name,
            limits=msgspec.structs.replace(terms.limits, load=terms.setup),
            adapter="referee.games.hooks:adapter",
            required=self._game.required,
            optional=optional,
            parameters=entrant.parameters,
        )


def _outcome(match: Match, result: Result) -> Outcome:
    return Outcome(
        number=match.number,
        seats=match.players,
        ranking=tuple(tuple(sorted(rank)) for rank in result.ranking),
        kicked=tuple(_kick(kicked.player, kicked.verdict, kicked.turn) for kicked in result.kicked),
        scores=result.scores,
        turns=result.state.turn,
        moves=result.moves,
        cpu={name: round(used.cpu, 6) for name, used in result.usage.items()},
    )


def _kick(player: str, verdict: Verdict, turn: int) -> Kick:
    return Kick(player, str(verdict.ending), verdict.method, turn, verdict.detail, verdict.line or None)
