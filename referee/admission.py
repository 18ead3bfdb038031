"""Whether a submission would be admitted: validation games against the reference strategies, from every seat."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from referee import record
from referee.entrants import parameters, parse, references
from referee.games.game import Ask, Game
from referee.match import Entrant, Terms, derived
from referee.questions import cut
from referee.recorder import KickLine, MoveLine
from referee.referee import Referee, Result
from sandbox import Ending, Submission, Verdict, Zygote

_ENOUGH = 3  # games lost to problems: whoever hangs in each of them is not waited for in all


class UnfitSettings(ValueError):
    """The validation games cannot be set up."""


class Trial(msgspec.Struct, frozen=True):
    """One validation game, as a command line would have it."""

    players: tuple[str, ...]  # in seat order, as words for `referee.entrants.parse`
    seat: int  # the submission's
    seed: int


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the submission failed; `trial` is the first game of those in which it did."""

    verdict: Verdict
    turn: int
    state: str  # the table as it was asked, drawn as text; empty while loading
    output: str  # what it had printed in that game
    trial: Trial
    games: int = 1
    svg: str = ""  # the same table as a picture
    questions: str = ""  # the game, cut down to what the submission was asked

    def is_like(self, other: Problem) -> bool:
        """Whether it is the same failure in another game; where in its loop somebody runs out of time is chance."""
        mine, theirs = self.verdict, other.verdict
        late = mine.ending in (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT)
        same = (mine.ending, mine.method, mine.file) == (theirs.ending, theirs.method, theirs.file)
        return same and (late or mine.line == theirs.line)


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """The most it used in any game, to be held against the limits."""

    move_cpu: float = 0.0  # seconds, the longest move
    move_wall: float = 0.0
    other_cpu: float = 0.0  # seconds a game, for loading and for calls that want no move
    memory: int = 0  # bytes
    output: int = 0  # bytes printed in a game

    def and_also(self, other: Measured) -> Measured:
        pairs = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True)
        return Measured(**dict(zip(self.__struct_fields__, map(max, pairs), strict=True)))


class Admission(msgspec.Struct, frozen=True, kw_only=True):
    """What came out."""

    game: str
    sha256: str
    planned: int
    played: int
    problems: tuple[Problem, ...]
    measured: Measured
    output: str  # what it printed in the first game
    terms: Terms

    @property
    def admitted(self) -> bool:
        return not self.problems


def examine(
    game: Game,
    path: str,
    *,
    config: Any = None,
    seed: int = 0,
    terms: Terms = Terms(),  # noqa: B008  # frozen
    zygote: Zygote,
    told: Callable[[int, int], None] = lambda played, planned: None,
) -> Admission:
    """Play the validation games; `told` hears how far they are. Raises SubmissionError or RefereeError."""
    source = Submission.read(path)
    planned = list(trials(game, path, seed))
    for trial in planned:
        try:
            game.setup([str(seat) for seat in range(len(trial.players))], config, derived(trial.seed, "rules"))
        except ValueError as error:
            raise UnfitSettings(f"These settings do not fit a table of {len(trial.players)}: {error}.") from error
    problems: list[Problem] = []
    measured, first, played = Measured(), "", 0
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        for played, trial in enumerate(planned, 1):
            told(played, len(planned))
            entrants = parse(game, trial.players)
            # Read once: what was checked is what plays, though the file be changed meanwhile.
            entrants[trial.seat] = msgspec.structs.replace(entrants[trial.seat], source=source)
            place = os.path.join(folder, "game.jsonl")
            result = Referee(
                game, entrants, config=config, seed=trial.seed, terms=terms, zygote=zygote, record=place
            ).run()
            recorded = record.read(place)
            candidate = entrants[trial.seat]
            measured = measured.and_also(_measured(candidate, game, recorded, result))
            first = first or result.output[candidate.name]
            problem = _problem(candidate, recorded, result, trial)
            if problem is not None:
                problems = _added(problems, problem)
                if not problem.verdict.method or sum(found.games for found in problems) == _ENOUGH:
                    break
    return Admission(
        game=game.name,
        sha256=source.sha256,
        planned=len(planned),
        played=played,
        problems=tuple(problems),
        measured=measured,
        output=first,
        terms=terms,
    )


def trials(game: Game, path: str, seed: int) -> Iterator[Trial]:
    """A game from every seat of the smallest and of the largest table; the reference strategies take turns.

    Those that search, as their parameters betray, sit at the small table only: a check should take seconds.
    """
    known = references(game.name)
    quick = [name for name, place in known.items() if not parameters(place)]
    searching = [name for name in known if name not in quick]
    candidate = path if path.endswith(".py") and "=" not in path else os.path.join(".", path)
    number = 0
    for size, rivals in {game.seats[0]: [*searching, *quick], game.seats[-1]: quick or searching}.items():
        rivals = rivals or [candidate]  # without any, it plays against itself
        for seat in range(size):
            others = [rivals[(seat + other) % len(rivals)] for other in range(size - 1)]
            yield Trial((*others[:seat], candidate, *others[seat:]), seat, seed + number)
            number += 1


def _problem(candidate: Entrant, recorded: record.Record, result: Result, trial: Trial) -> Problem | None:
    for call in recorded.calls():
        if isinstance(call.line, KickLine) and call.line.player == candidate.name:
            if call.line.verdict.ending is Ending.ILLEGAL_MOVE and _is_stuck(call.ask):
                return None
            return Problem(
                verdict=call.line.verdict,
                turn=call.line.turn,
                state=call.before.text() if call.line.verdict.method else "",
                output=result.output[candidate.name],
                trial=trial,
                svg=call.before.svg() if call.line.verdict.method else "",
                questions=cut(recorded, candidate.name) if call.line.verdict.method else "",
            )
    return None


def _is_stuck(ask: Ask | None) -> bool:
    """Whether the rules left nothing to do: in Tsuro it happens, and is nobody's fault."""
    return ask is not None and hasattr(ask.view, "legal_moves") and not ask.view.legal_moves()


def _added(problems: list[Problem], new: Problem) -> list[Problem]:
    """The same failure in another game is no other problem."""
    if not any(known.is_like(new) for known in problems):
        return [*problems, new]
    return [
        msgspec.structs.replace(known, games=known.games + 1) if known.is_like(new) else known for known in problems
    ]


def _measured(candidate: Entrant, game: Game, recorded: record.Record, result: Result) -> Measured:
    moves = [line for line in recorded.lines if isinstance(line, MoveLine) and line.player == candidate.name]
    used = result.usage[candidate.name]
    cpu, wall = [line.cpu for line in moves], [line.wall for line in moves]
    other = max(0.0, used.cpu - sum(cpu))
    if any(kicked.player == candidate.name and kicked.verdict.method in game.required for kicked in result.kicked):
        # Nearly all of the rest went into the move it failed in, which has no line.
        cpu, wall, other = [*cpu, other], [*wall, max(0.0, used.wall - sum(wall))], 0.0
    return Measured(
        move_cpu=max(cpu, default=0.0),
        move_wall=max(wall, default=0.0),
        other_cpu=other,
        memory=used.peak_memory,
        output=used.output,
    )
