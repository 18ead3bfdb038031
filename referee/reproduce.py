"""Asks one file the questions that its player was asked in a recorded game, and finds where it fails."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from referee.games.game import Ask, State
from referee.match import Entrant, derived
from referee.player import Player
from referee.record import Record, RecordError
from referee.recorder import KickLine, encode
from referee.referee import boxed
from sandbox import Ending, Misconduct, Submission, Usage, Verdict, Zygote, clean


class Question(msgspec.Struct, frozen=True):
    """What a player was asked, in which state and turn, and what the record says became of it."""

    ask: Ask
    state: State
    turn: int
    line: Any  # the record's; None when it wanted no move and went well, or when the record ends here


class Failure(msgspec.Struct, frozen=True):
    verdict: Verdict
    turn: int
    state: State  # the one it failed on


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
    recorded: KickLine | None  # how it failed then
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
    wanted = f"there is no player {clean(name)}" if name is not None else f"it is not clear which player {base} was"
    raise RecordError(f"{wanted}: the record's players are {known}; name one with --player")


def questions(record: Record, player: str) -> Iterator[Question]:
    """All that a player was asked; when the record breaks off, also what it may have been asked last."""
    last = record.start()
    for call in record.calls():
        last = call.state
        if call.ask is not None and call.ask.player == player:
            yield Question(call.ask, call.before, call.before.turn + (call.ask.reply is not None), call.line)
    ask = last.ask()
    if record.result is None and ask is not None and ask.player == player:
        yield Question(ask, last, last.turn + 1, None)


def reproduce(record: Record, seat: int, file: Submission, zygote: Zygote) -> Outcome:
    """Ask until it fails, until it failed in the record, or until the end."""
    header = record.header
    entry = header.players[seat]
    name = entry["name"]
    entrant = Entrant(name, file, parameters=entry.get("parameters") or {})
    kicks = [line for line in record.lines if isinstance(line, KickLine) and line.player == name]
    asked = 0
    failure = None
    differences: list[Difference] = []
    usage, output = Usage(0.0, 0.0, 0, 0), ""
    try:
        player = boxed(zygote, record.game, entrant, header.terms, derived(header.seed, "player", seat))
    except Misconduct as misconduct:
        failure = Failure(misconduct.verdict, 0, record.start())
        usage, output = misconduct.usage, misconduct.output
    else:
        try:
            for question in questions(record, name):
                if question.ask.reply is None and not player.defines(question.ask.method):
                    continue
                asked += 1
                try:
                    answer = _answer(player, question, record)
                except Misconduct as misconduct:
                    failure = Failure(misconduct.verdict, question.turn, question.state)
                    break
                if isinstance(question.line, KickLine):
                    break  # it was not asked any more
                if question.line is not None and encode(answer) != encode(question.line.action):
                    differences.append(Difference(question.turn, question.line.action, answer))
        finally:
            player.leave(failure.verdict if failure is not None else None)
            usage, output = player.usage, player.output
    return Outcome(
        player=name,
        same_file=entry.get("sha256") == file.sha256,
        asked=asked,
        failure=failure,
        recorded=kicks[0] if kicks else None,
        differences=tuple(differences),
        usage=usage,
        output=output,
    )


def _answer(player: Player, question: Question, record: Record) -> Any:
    ask = question.ask
    answer = player.ask(ask.method, ask.view, ask.reply, record.header.terms.budget(ask.method))
    why = question.state.check(answer) if ask.reply is not None else None
    if why is not None:
        raise Misconduct(Verdict.of(Ending.ILLEGAL_MOVE, why, ask.method))
    return answer
