"""What the tests of the referee share: entrants made of text, of reference strategies or of objects."""

from __future__ import annotations

import importlib
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee import games
from referee.entrants import named
from referee.events import Event
from referee.match import Entrant, Terms
from referee.player import Trusted
from referee.referee import Referee, Result
from sandbox import Budget, Submission, Zygote

# One game of each kind: a reference strategy that plays fast, and how many sit down.
KINDS = {"fish": ("greedy", 2), "q": ("dag", 2), "tsuro": ("second", 3)}

QUICK = Terms(move=Budget(cpu=1.0, wall=5.0), setup=Budget(cpu=5.0))

# Whatever else a strategy of a test defines, it plays like this.
HONEST = {
    "fish": """
        def placement(view): return view.free_tiles()[0]
        def movement(view): return view.legal_moves()[0]
    """,
    "q": """
        def take_turn(view): return view.legal_moves()[0]
    """,
    "tsuro": """
        def initial_placement(view): return view.legal_moves()[0]
        def move(view): return (view.legal_moves() or [[view.hand[0], 0]])[0]
    """,
}


def source(game: str, extra: str = "") -> str:
    """The text of a strategy that plays legally, but for what is added."""
    return textwrap.dedent(HONEST[game]) + textwrap.dedent(extra)


# Sleeps through its fourth move: the game stands still in the middle, in turn 15.
SLEEPS = source(
    "fish",
    """
    moves = 0
    def movement(view):
        import time
        global moves
        moves += 1
        if moves == 4:
            time.sleep(600)
        return view.legal_moves()[0]
    """,
)


def file(folder: Path, name: str, text: str) -> Entrant:
    path = folder / f"{name}.py"
    path.write_text(text)
    return Entrant(name, Submission.read(path), given=str(path))


def reference(game: str, name: str, strategy: str | None = None) -> Entrant:
    return named(games.get(game), name, strategy or KINDS[game][0])


def references(game: str) -> list[Entrant]:
    return [reference(game, name) for name in "abcde"[: KINDS[game][1]]]


def trusted(name: str, strategy: Any) -> Entrant:
    return Entrant(name, sit=Trusted.seat(strategy))


def strategy(game: str) -> Any:
    """A new object of the reference strategy of a game."""
    return importlib.import_module(f"players.{game}.{KINDS[game][0]}").Strategy()


def play(game: str, entrants: Sequence[Entrant], zygote: Zygote | None = None, **options: Any) -> Result:
    return Referee(games.get(game), entrants, zygote=zygote, **{"terms": QUICK, **options}).run()


def watched(game: str, entrants: Sequence[Entrant], zygote: Zygote | None = None, **options: Any) -> list[Event]:
    """All events of a game."""
    told: list[Event] = []
    referee = Referee(games.get(game), entrants, zygote=zygote, **{"terms": QUICK, **options})
    referee.subscribe(told.append)
    referee.run()
    return told


def timeless(record: Path) -> list[Any]:
    """A record without what the clock and the memory had to say."""
    lines = [msgspec.json.decode(line) for line in record.read_bytes().splitlines()]
    for line in lines:
        for key in ("cpu", "wall", "memory", "usage"):
            line.pop(key, None)
    return lines


def edited(record: Path, pattern: str, by: str, number: int) -> Path:
    """A copy of a record in which one line was changed; lines count from 1."""
    lines = record.read_text().splitlines(keepends=True)
    changed = re.sub(pattern, by, lines[number - 1], count=1)
    assert changed != lines[number - 1], (pattern, lines[number - 1])
    lines[number - 1] = changed
    copy = record.with_name("edited.jsonl")
    copy.write_text("".join(lines))
    return copy
