"""Reads a game's record, and computes the whole game again from its moves: to replay, resume, verify, reproduce."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee import games
from referee.events import Ended, Event, Kicked, Moved, Placed, Started
from referee.games.game import Ask, Game, Illegal, State
from referee.match import derived
from referee.recorder import (
    FORMAT,
    EventLine,
    Header,
    KickLine,
    PlaceLine,
    ResultLine,
    decode,
    digest,
    encode,
    identity,
)
from sandbox import Ending, Usage, clean


class RecordError(ValueError):
    """A file that is no record, or one that is not true; the text says what and where."""


class Untrue(RecordError):
    """What is not true in a record, and in which of its lines; the record's path is for others to know."""

    def __init__(self, line: int, why: object) -> None:
        super().__init__(f"line {line}: {why}")


class Record(msgspec.Struct, frozen=True):
    """A record that was read. `result` is None when the game did not come to its end."""

    header: Header
    lines: list[EventLine]
    result: ResultLine | None

    @property
    def game(self) -> Game:
        try:
            return games.get(self.header.game)
        except ValueError as error:
            raise Untrue(1, f"no game begins like this: {error}") from error

    @property
    def turns(self) -> int:
        """The number of the last turn."""
        return self.lines[-1].turn if self.lines else self.start().turn

    def config(self) -> Any:
        try:
            return msgspec.convert(self.header.config, self.game.config)
        except msgspec.ValidationError as error:
            raise Untrue(1, f"no game begins like this: {error}") from error

    def start(self) -> State:
        header, game = self.header, self.game
        config = self.config()
        try:
            if header.start is not None:
                return game.load(header.start)
            names = [player["name"] for player in header.players]
            return game.setup(names, config, derived(header.seed, "rules"))
        except (ValueError, KeyError, TypeError) as error:
            raise Untrue(1, f"no game begins like this: {error}") from error

    def calls(self) -> Iterator[Call]:
        """The whole game again, call by call; raises RecordError where the record is not true."""
        state, count = self.start(), 0
        for number, line in enumerate(self.lines, 2):
            try:
                while count < line.call:  # calls that wanted no move, and went well
                    call = Call(state, state.ask(), None, state.commit(None))
                    yield call
                    state, count = call.state, count + 1
                call = _called(state, line)
            except RecordError as error:
                raise Untrue(number, error) from error
            except (Illegal, ValueError) as error:
                raise Untrue(number, f"the rules refuse it: {error}") from error
            yield call
            state, count = call.state, count + (call.ask is not None)
        while (ask := state.ask()) is not None and ask.reply is None:
            yield Call(state, ask, None, state := state.commit(None))

    def states(self) -> Iterator[tuple[EventLine | None, State]]:
        """The state at the start (with no line), and after each line."""
        yield None, self.start()
        yield from ((call.line, call.state) for call in self.calls() if call.line is not None)

    def at(self, turn: int) -> State:
        """The state after a turn; 0 is the start."""
        return self.until(turn)[-1].state

    def until(self, turn: int) -> list[Event]:
        """What happened up to and with a turn."""
        told: list[Event] = []
        for event in self.events():
            told.append(event)
            if event.state.turn == turn or turn == 0:
                return told
        first, last = told[0].state.turn, self.turns
        raise RecordError(f"There is no turn {turn}: the record has turns {first + 1} to {last}, and 0 is its start.")

    def final(self) -> State:
        """The state at the end, with every call that wanted no move answered."""
        state = self.start()
        for call in self.calls():
            state = call.state
        return state

    def events(self) -> Iterator[Event]:
        """What observers of the game were told."""
        from referee.referee import Result

        kicked: list[Kicked] = []
        state, count = self.start(), 0
        moves = dict.fromkeys(state.players, 0)
        yield Started(state=state)
        for call in self.calls():
            state, line = call.state, call.line
            if isinstance(line, KickLine):
                kicked.append(
                    Kicked(
                        state=state,
                        call=count,
                        player=line.player,
                        verdict=line.verdict,
                        turn=line.turn,
                        answer=line.answer,
                        output=line.output,
                    )
                )
                yield kicked[-1]
            elif line is not None:
                moves[line.player] += 1
                yield (Placed if isinstance(line, PlaceLine) else Moved)(
                    state=state,
                    call=count,
                    player=line.player,
                    method=line.method,
                    action=line.action,
                    used=Usage(line.cpu, line.wall, line.memory, 0),
                    output=line.output,
                )
            count += call.ask is not None
        if self.result is not None:
            result = Result(
                ranking=state.ranking(),
                scores=state.scores(),
                kicked=tuple(kicked),
                state=state,
                usage={name: _usage(self.result.usage.get(name, {})) for name in state.players},
                moves=moves,
                output={},  # not recorded
            )
            yield Ended(state=state, call=count, result=result)

    def verify(self) -> None:
        """Recompute it all; raises RecordError with what is not true."""
        if self.header.id != identity(self.header):
            raise Untrue(1, "the id does not fit what it stands for: somebody has changed the header")
        state, number = self.start(), 1
        same_words = self.header.versions.get("referee") == version("referee")  # another may put it differently
        for call in self.calls():
            state, number = call.state, number + (call.line is not None)
            if (why := _why_untrue(call, same_words)) is not None:
                raise Untrue(number, why)
        if self.result is None:
            return
        found = ResultLine(
            ranking=[sorted(rank) for rank in state.ranking()],
            scores=state.scores(),
            kicked=list(state.kicked),
            turns=state.turn,
            usage=self.result.usage,
            digest=digest(state),
        )
        last = len(self.lines) + 2
        if state.ask() is not None:
            raise Untrue(last, "a result, though the game is not over")
        for field in ("ranking", "scores", "kicked", "turns", "digest"):
            told, true = getattr(self.result, field), getattr(found, field)
            if told != true:
                raise Untrue(last, f"the result's {field} should be {_short(true)}, not {_short(told)}")


class Call(NamedTuple):
    """One question of a game: who was asked what in which state, what is recorded of it, and what followed."""

    before: State
    ask: Ask | None  # None for a player whose file did not load, and who was asked nothing
    line: EventLine | None  # None for a call that wanted no move, and went well
    state: State


def _called(state: State, line: EventLine) -> Call:
    """What a line tells, made to happen."""
    ask = None
    if not isinstance(line, KickLine) or line.verdict.method or line.call:
        ask = state.ask()
        method = line.verdict.method if isinstance(line, KickLine) else line.method
        if ask is None or (ask.player, ask.method) != (line.player, method):
            raise RecordError(f"{_short(line.player)} is not asked for {_short(method)} here")
    after = state.kick(line.player) if isinstance(line, KickLine) else state.commit(line.action)
    if line.turn != after.turn:
        raise RecordError(f"this is turn {after.turn}, not {line.turn}")
    if line.digest and line.digest != digest(after):
        raise RecordError("the state is not the one that was recorded: a line before this one was changed")
    return Call(state, ask, line, after)


def _why_untrue(call: Call, words_too: bool) -> str | None:
    """What is wrong with a kick for an answer that the rules are said to have refused; None if nothing is."""
    ask, line = call.ask, call.line
    if not isinstance(line, KickLine) or line.answer is msgspec.UNSET:
        return None
    if line.verdict.ending is not Ending.ILLEGAL_MOVE or ask is None or ask.reply is None:
        return "an answer is recorded, though no move was refused here"
    try:
        why = call.before.check(msgspec.convert(line.answer, ask.reply))
    except msgspec.ValidationError as misfit:
        return f"the answer that was refused could not have been judged: {clean(str(misfit), 200)}"
    if why is None:
        return f"{_short(line.player)} was kicked for {_short(line.answer)}, which the rules allow"
    if words_too and why != line.verdict.detail:
        return f"{_short(line.answer)} is refused because {_short(why)}, not because {_short(line.verdict.detail)}"
    return None


def _is_player(entry: dict[str, Any]) -> bool:
    texts = [entry.get("name"), *(entry.get(key, "") for key in ("given", "sha256"))]
    return all(isinstance(text, str) for text in texts) and isinstance(entry.get("parameters", {}), dict)


def _usage(used: dict[str, float]) -> Usage:
    get = used.get
    return Usage(get("cpu_s", 0.0), get("wall_s", 0.0), int(get("peak_memory", 0)), int(get("output_bytes", 0)))


def _short(value: Any) -> str:
    return clean(encode(value).decode(), 200)


def read(path: str | Path) -> Record:
    """Read a record; a torn last line, of a referee that was killed, is left out."""
    try:
        pieces = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"The record {path} cannot be read: {error.strerror}.") from error
    decoded: list[Any] = []
    for number, piece in enumerate(pieces[:-1], 1):  # what follows the last newline is torn
        try:
            decoded.append(decode(piece))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            what = f"{path}, line {number}: not a line of a record ({clean(str(error), 200)})"
            raise RecordError(f"{what}; give a file that `play --record` wrote.") from error
    if not decoded or not isinstance(decoded[0], Header):
        raise RecordError(f"{path} is no record of a game: it does not begin with a header.")
    if decoded[0].format > FORMAT:
        raise RecordError(f"{path} is of format {decoded[0].format}; this referee knows up to {FORMAT}.")
    if not all(map(_is_player, decoded[0].players)):
        raise RecordError(f"{path}, line 1: no game begins like this: a player has no name, or what it has is no text.")
    result = decoded.pop() if isinstance(decoded[-1], ResultLine) else None
    if any(isinstance(line, Header | ResultLine) for line in decoded[1:]):
        raise RecordError(f"{path} holds more than one game.")
    return Record(decoded[0], decoded[1:], result)
