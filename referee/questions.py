"""A record cut down to what one player was asked: enough to ask it again, with nothing that rivals held or did unseen.

A header, and a line a question, with the player's own view as it was sent. `referee reproduce` takes it like a record.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from referee import games
from referee.games.game import Adapter, Ask, Game
from referee.match import Terms
from referee.record import Record, RecordError, Untrue
from referee.recorder import encode
from referee.reproduce import Case, Failure, Question, case_of
from sandbox import Plain, Verdict, clean

FORMAT = 1
_MOST_DRAWN = 100_000  # characters of a table


class Title(msgspec.Struct, frozen=True, kw_only=True, tag="questions", tag_field="kind"):
    """Whose questions they are, in which game, under which limits, with which random numbers."""

    format: int
    game: str
    player: str
    sha256: str
    parameters: dict[str, Any]
    seed: int  # of the player alone
    terms: Terms
    loading: Verdict | None = None  # why it was asked nothing


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag="asked", tag_field="kind"):
    """One question, and what became of it."""

    turn: int
    method: str
    view: bytes  # as it goes down the pipe
    wants_move: bool
    drawn: str  # the table, as spectators saw it
    action: Any = None
    verdict: Verdict | None = None


class _Opening(msgspec.Struct, frozen=True):
    """As much of a first line as every format has."""

    kind: str = ""
    format: int = 0


class _Seen(msgspec.Struct, frozen=True):
    """What a player saw of a table; of the whole there is a drawing only."""

    view: Any
    drawn: str
    line: int

    def check(self, action: Any) -> str | None:
        try:
            why: str | None = self.view.check(action)
        except Exception as error:  # somebody may have changed it so that only judging by it shows what is wrong
            raise Untrue(self.line, f"the rules can make nothing of this question: {_short(error)}") from error
        return why

    def text(self) -> str:
        return clean(self.drawn, _MOST_DRAWN, keep="\n")

    def save(self) -> None:
        return None


_opening = msgspec.json.Decoder(_Opening).decode
_title = msgspec.json.Decoder(Title).decode
_asked = msgspec.json.Decoder(Asked).decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def cut(record: Record, player: str) -> str:
    """The questions of a player, as JSON lines."""
    case = case_of(record, [entry["name"] for entry in record.header.players].index(player))
    return "".join(f"{encode(line).decode()}\n" for line in _cut(case))


def _cut(case: Case) -> Iterator[Title | Asked]:
    failure = case.failure
    yield Title(
        format=FORMAT,
        game=case.game.name,
        player=case.player,
        sha256=case.sha256,
        parameters=case.parameters,
        seed=case.seed,
        terms=case.terms,
        loading=failure.verdict if failure is not None and not failure.verdict.method else None,
    )
    for question in case.questions:
        yield Asked(
            turn=question.turn,
            method=question.ask.method,
            view=msgspec.msgpack.encode(question.ask.view),
            wants_move=question.ask.reply is not None,
            drawn=question.table.text(),
            action=question.action,
            verdict=question.verdict,
        )


def read(path: str | Path) -> Case | None:
    """What `cut` wrote, a torn last line left out; None if the file is something else: a record, say."""
    try:
        lines = Path(path).read_bytes().split(b"\n")[:-1]
        opening = _opening(lines[0])
    except (OSError, IndexError, *_UNREADABLE):
        return None
    if opening.kind != "questions":
        return None
    if opening.format > FORMAT:
        raise RecordError(f"{path} is of format {opening.format}; this referee knows questions up to {FORMAT}.")
    try:
        title = _title(lines[0])
        game = games.get(title.game)
        if not 0 <= title.seed < 1 << 64:
            raise ValueError("its seed is none of a player's")
    except (ValueError, RecursionError) as error:
        raise Untrue(1, f"no questions begin like this: {_short(error)}") from error
    asked = list(_questions(title, game, lines[1:]))
    failed = [Failure(question.verdict, question.turn) for question in asked if question.verdict is not None]
    if title.loading is not None:
        failed.insert(0, Failure(title.loading, 0))
    return Case(
        game=game,
        player=title.player,
        sha256=title.sha256,
        parameters=title.parameters,
        seed=title.seed,
        terms=title.terms,
        failure=failed[0] if failed else None,
        questions=asked,
    )


def _questions(title: Title, game: Game, lines: list[bytes]) -> Iterator[Question]:
    adapter: Adapter = importlib.import_module(games.package(title.game)).adapter()
    replies = _replies(game)
    for number, line in enumerate(lines, 2):
        try:
            asked = _asked(line)
            if asked.method not in (*game.required, *game.optional):
                raise ValueError(f"nobody is asked for {asked.method!r} in {game.name}")
            if len(asked.view) > title.terms.limits.frame:
                raise ValueError(f"its view has {len(asked.view):,} bytes, more than a question may have")
            (view,) = adapter.arguments(asked.method, asked.view)
        except Exception as error:  # of a game's own decoders, whose views are not made to be forged
            raise Untrue(number, f"this is no question: {_short(error)}") from error
        reply = replies.get(asked.method, Plain) if asked.wants_move else None
        seen = _Seen(view, asked.drawn, number)
        yield Question(Ask(title.player, asked.method, view, reply), seen, asked.turn, asked.action, asked.verdict)


def _replies(game: Game) -> dict[str, Any]:
    """What the rules want to be answered with, by method: types are nothing to write into a file.

    Found in the beginning of a quiet game. Where that does not tell, plain data and the view's own judgement must do.
    """
    found: dict[str, Any] = {}
    state = game.setup([f"player {seat}" for seat in range(game.seats[0])])
    while (ask := state.ask()) is not None and not found.keys() >= set(game.required):
        action = None
        if ask.reply is not None:
            found[ask.method] = ask.reply
            moves: list[Any] = getattr(ask.view, "legal_moves", list)()
            if not moves:
                break
            action = moves[0]
        state = state.commit(action)
    return found


def _short(error: Exception) -> str:
    return clean(str(error) or type(error).__name__, 200)
