"""Asks one file the questions that its player was asked in a recorded game, and finds where it fails."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import msgspec

from referee.games.game import Ask, Game
from referee.match import Entrant, Terms, derived
from referee.parameters import check_parameters
from referee.player import Player
from referee.record import Record, RecordError, Untrue
from referee.recorder import KickLine, encode
from referee.referee import boxed
from sandbox import Ending, Misconduct, Submission, Usage, Verdict, Zygote, clean


class Table(Protocol):
    """What a question is about: a state of a game, or the part of one that a player may see."""

    def check(self, action: Any) -> str | None: ...

    def text(self) -> str: ...

    def save(self) -> dict[str, Any] | None: ...  # None for a part


class Question(msgspec.Struct, frozen=True):
    """What a player was asked, at which table and turn, and what the record says became of it."""

    ask: Ask
    table: Table
    turn: int
    action: Any = None  # None when it wanted no move, when it failed, or when the record ends here
    verdict: Verdict | None = None


class Failure(msgspec.Struct, frozen=True):
    verdict: Verdict
    turn: int
    table: Table | None = None  # the one it failed on


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One player of a recorded game, and all that it takes to ask it again."""

    game: Game
    player: str
    sha256: str
    parameters: dict[str, Any]
    seed: int  # of the player alone
    terms: Terms
    start: Table | None = None
    failure: Failure | None = None  # of the record
    questions: Iterable[Question]


class Difference(msgspec.Struct, frozen=True):
    """An answer that is allowed, but is not the one of the record."""

    turn: int
    recorded: Any
    answered: Any


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it."""

    player: str
    same_file: bool  # as the one that played
    asked: int
    failure: Failure | None
    recorded: Failure | None  # how it failed then
    differences: tuple[Difference, ...]
    usage: Usage
    output: str

    @property
    def reproduced(self) -> bool:
        """Whether it fails in the same way, at the same place."""
        if self.failure is None or self.recorded is None:
            return False
        now, then = self.failure, self.recorded
        return (now.verdict.ending, now.verdict.method, now.turn) == (
            then.verdict.ending,
            then.verdict.method,
            then.turn,
        )


def seat_of(record: Record, path: str, file: Submission, name: str | None = None) -> int:
    """Whose questions a file is to be asked: those of its own player, or of the one that was named."""
    players = record.header.players
    kicked = {line.player for line in record.lines if isinstance(line, KickLine)}
    base = os.path.basename(os.path.abspath(path))
    tests: list[Callable[[dict[str, Any]], bool]] = [
        lambda player: player.get("sha256") == file.sha256,
        lambda player: player.get("given") == path,
        lambda player: os.path.basename(os.path.abspath(player.get("given") or os.sep)) == base,
        lambda player: player.get("name") == file.name,
        lambda player: player.get("name") in kicked,  # it may have been renamed since
    ]
    if name is not None:
        tests = [lambda player: player.get("name") == name]
    for test in tests:
        seats = [seat for seat, player in enumerate(players) if test(player)]
        failed = [seat for seat in seats if players[seat]["name"] in kicked]
        for found in (seats, failed):
            if len(found) == 1:
                return found[0]
        if seats:
            break
    known = ", ".join(f"{clean(player['name'])} ({clean(player.get('given') or 'no file')})" for player in players)
    wanted = f"There is no player {clean(name)}" if name is not None else f"It is not clear which player {base} was"
    raise RecordError(f"{wanted}: the record's players are {known}; name one with --player.")


def case_of(record: Record, seat: int) -> Case:
    """What a record knows of the player in a seat."""
    header = record.header
    entry = header.players[seat]
    name = entry["name"]
    kicks = [line for line in record.lines if isinstance(line, KickLine) and line.player == name]
    return Case(
        game=record.game,
        player=name,
        sha256=entry.get("sha256", ""),
        parameters=entry.get("parameters") or {},
        seed=derived(header.seed, "player", seat),
        terms=header.terms,
        start=record.start(),
        failure=Failure(kicks[0].verdict, kicks[0].turn) if kicks else None,
        questions=questions(record, name),
    )


def questions(record: Record, player: str) -> Iterator[Question]:
    """All that a player was asked; when the record breaks off, also what it may have been asked last."""
    last = record.start()
    for call in record.calls():
        last = call.state
        if call.ask is not None and call.ask.player == player:
            turn = call.before.turn + (call.ask.reply is not None)
            action, verdict = getattr(call.line, "action", None), getattr(call.line, "verdict", None)
            yield Question(call.ask, call.before, turn, action, verdict)
    ask = last.ask()
    if record.result is None and ask is not None and ask.player == player:
        yield Question(ask, last, last.turn + 1)


def reproduce(case: Case, file: Submission, zygote: Zygote) -> Outcome:
    """Ask until it fails, until it failed in the record, or until the end."""
    entrant = Entrant(case.player, file, parameters=case.parameters)
    try:
        check_parameters(entrant)
    except ValueError as error:
        raise Untrue(1, error) from error
    asked = 0
    failure = None
    differences: list[Difference] = []
    usage, output = Usage(0.0, 0.0, 0, 0), ""
    try:
        player = boxed(zygote, case.game, entrant, case.terms, case.seed)
    except Misconduct as misconduct:
        failure = Failure(misconduct.verdict, 0, case.start)
        usage, output = misconduct.usage, misconduct.output
    else:
        try:
            for question in case.questions:
                if question.ask.reply is None and not player.defines(question.ask.method):
                    continue
                asked += 1
                try:
                    answer = _answer(player, question, case.terms)
                except Misconduct as misconduct:
                    failure = Failure(misconduct.verdict, question.turn, question.table)
                    break
                if question.verdict is not None:
                    break  # it was not asked any more
                if question.action is not None and encode(answer) != encode(question.action):
                    differences.append(Difference(question.turn, question.action, answer))
        finally:
            player.leave(failure.verdict if failure is not None else None)
            usage, output = player.usage, player.output
    return Outcome(
        player=case.player,
        same_file=case.sha256 == file.sha256,
        asked=asked,
        failure=failure,
        recorded=case.failure,
        differences=tuple(differences),
        usage=usage,
        output=output,
    )


def _answer(player: Player, question: Question, terms: Terms) -> Any:
    ask = question.ask
    answer = player.ask(ask.method, ask.view, ask.reply, terms.budget(ask.method))
    why = question.table.check(answer) if ask.reply is not None else None
    if why is not None:
        raise Misconduct(Verdict.of(Ending.ILLEGAL_MOVE, why, ask.method))
    return answer
