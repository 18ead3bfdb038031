"""A record cut down to what one player was asked: enough to ask it again, with nothing that rivals held or did unseen.

A header, and a line a question, with the player's own view as it was sent. `referee reproduce` takes it like a record.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import msgspec

from referee import games
from referee.games.game import Game
from referee.match import Terms, derived
from referee.record import Record
from referee.recorder import KickLine, encode
from referee.reproduce import questions
from sandbox import Verdict

FORMAT = 1


class Title(msgspec.Struct, frozen=True, kw_only=True, tag="questions", tag_field="kind"):
    """Whose questions they are, in which game, under which limits, with which random numbers."""

    format: int
    game: str
    player: str
    sha256: str
    parameters: dict[str, Any]
    seed: int  # of the player alone
    terms: Terms


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag="asked", tag_field="kind"):
    """One question, and what became of it."""

    turn: int
    method: str
    view: bytes  # as it goes down the pipe
    wants_move: bool
    action: Any = None
    verdict: Verdict | None = None
    drawn: str = ""  # the table, of the question it failed on


class Questions(msgspec.Struct, frozen=True):
    title: Title
    asked: list[Asked]

    @property
    def game(self) -> Game:
        return games.get(self.title.game)

    def view(self, asked: Asked) -> Any:
        (view,) = importlib.import_module(games.package(self.title.game)).adapter().arguments(asked.method, asked.view)
        return view


_line = msgspec.json.Decoder(Title | Asked).decode


def cut(record: Record, player: str) -> str:
    """The questions of a player, as JSON lines."""
    header = record.header
    names = [entry["name"] for entry in header.players]
    seat = names.index(player)
    title = Title(
        format=FORMAT,
        game=header.game,
        player=player,
        sha256=header.players[seat].get("sha256", ""),
        parameters=header.players[seat].get("parameters") or {},
        seed=derived(header.seed, "player", seat),
        terms=header.terms,
    )
    return "".join(f"{encode(line).decode()}\n" for line in [title, *_cut(record, player)])


def _cut(record: Record, player: str) -> Iterator[Asked]:
    for question in questions(record, player):
        verdict = question.line.verdict if isinstance(question.line, KickLine) else None
        yield Asked(
            turn=question.turn,
            method=question.ask.method,
            view=msgspec.msgpack.encode(question.ask.view),
            wants_move=question.ask.reply is not None,
            action=getattr(question.line, "action", None),
            verdict=verdict,
            drawn=question.state.text() if verdict is not None else "",
        )


def parsed(data: bytes) -> Questions | None:
    """None if it is something else: a record, say."""
    lines = data.splitlines()
    try:
        title = _line(lines[0])
        if isinstance(title, Title):
            return Questions(title, [line for line in map(_line, lines[1:]) if isinstance(line, Asked)])
    except (IndexError, msgspec.DecodeError):
        return None
    return None
