"""A person at the terminal: shown the table, asked in words, and asked again when an answer is not allowed."""

from __future__ import annotations

import re
import sys
import time
from typing import IO, Any

import msgspec

from referee.games.game import Game, State
from referee.games.label import label
from referee.player import plain_form
from sandbox import Budget, Ending, Misconduct, Usage, Verdict

QUIT, HELP, MOVES = "quit", "help", "moves"
_MOST_MOVES = 40  # shown at once
_WORD = re.compile(r"-?\d+\b|\w+")


class Human:
    """Plays by typing. Unmetered: whoever types has all the time there is."""

    def __init__(self, name: str, game: Game, source: IO[str] | None = None, screen: IO[str] | None = None) -> None:
        self.name = name
        self.output = ""
        self.last = Usage(0.0, 0.0, 0, 0)
        self._methods = game.required
        self._plain = plain_form(game)
        self._source = source or sys.stdin
        self._screen = screen or sys.stderr  # stdout is for results
        self._table = ""
        self._wall = 0.0

    @property
    def usage(self) -> Usage:
        return Usage(0.0, self._wall, 0, 0)

    def defines(self, method: str) -> bool:
        return method in self._methods

    def look(self, state: State) -> None:
        """What everybody can see, before a question."""
        self._table = state.text()

    def ask(self, method: str, view: Any, reply: Any, budget: Budget) -> Any:
        begun = time.monotonic()
        try:
            return self._answer(method, view, reply)
        finally:
            self.last = Usage(0.0, time.monotonic() - begun, 0, 0)
            self._wall += self.last.wall

    def leave(self, verdict: Verdict | None = None) -> None:
        if verdict is not None:
            self._say(f"{self.name}, you are out: {verdict}")

    def _answer(self, method: str, view: Any, reply: Any) -> Any:
        self._say(f"\n{self._table}")
        for entry in getattr(view, "news", ()):
            self._say(f"{label(entry.player)}: {_deed(entry)}")
        if hasattr(view, "hand_text"):  # of a game whose tiles do not speak for themselves
            self._say(view.hand_text())
        elif hand := getattr(view, "hand", ()):
            self._say(f"your tiles: {', '.join(map(str, hand))}")
        legal = list(view.legal_moves()) if hasattr(view, "legal_moves") else None
        stuck = legal == []  # the rules of Tsuro can leave nobody a way out: then whoever answers is kicked
        if stuck:
            self._say("nothing is allowed here: whatever you answer, you are out")
        while True:
            self._say(f"{self.name}, your {method} ({HELP}, {MOVES}, {QUIT}):", end=" ")
            line = self._source.readline()
            if not line or line.strip().lower() == QUIT:
                self._say("" if line else "\n", end="")
                raise Misconduct(Verdict.of(Ending.EXIT, "left the table", method))
            if line.strip().lower() in (HELP, MOVES):
                self._tell_moves(method, legal or [], everything=line.strip().lower() == MOVES)
                continue
            try:
                answer = understood(line, reply)
                why = view.check(answer) if hasattr(view, "check") and not stuck else None
            except ValueError as error:
                why = f"{error} (try {HELP})"
            if why is None:
                return answer
            self._say(f"that does not work: {why}")

    def _tell_moves(self, method: str, legal: list[Any], *, everything: bool) -> None:
        shown = [msgspec.json.encode(self._plain(method, move)).decode() for move in legal[:_MOST_MOVES]]
        if everything:
            more = len(legal) - len(shown)
            self._say("\n".join(shown) + (f"\nand {more} more" if more else "") or "there is none")
        else:
            example = f"such as {shown[0]}, or just {' '.join(_WORD.findall(shown[0]))}" if shown else "as data"
            self._say(
                f"Write your answer {example}. {MOVES!r} lists what is allowed, {QUIT!r} leaves the game, which counts "
                "as being kicked."
            )

    def _say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self._screen, flush=True)


def _deed(entry: Any) -> str:
    """A line of the history, in the form that answers have."""
    action = getattr(entry, "plain", entry.action)
    return "kicked" if action is None else msgspec.json.encode(action).decode()


def understood(line: str, reply: Any) -> Any:
    """The plain answer that a line of text means: JSON, or just its words and numbers in their order."""
    try:
        return msgspec.json.decode(line, type=reply)
    except msgspec.DecodeError:
        pass
    words = _WORD.findall(line)
    answer = _shaped(msgspec.inspect.type_info(reply), words)
    if words:
        raise ValueError(f"there is too much: {' '.join(words[:5])}")
    return msgspec.convert(answer, reply)


def _shaped(kind: msgspec.inspect.Type, words: list[str]) -> Any:
    """The first words put into the shape that is wanted; those that are used are taken out."""
    from msgspec import inspect

    match kind:
        case inspect.Metadata(type=described):  # the type has a description
            return _shaped(described, words)
        case inspect.TupleType(item_types=items):
            return [_shaped(item, words) for item in items]
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            answer = []
            while words:
                answer.append(_shaped(item, words))
            return answer
        case inspect.UnionType(types=choices):
            single = [choice for choice in choices if isinstance(choice, inspect.LiteralType)]
            if words and any(words[0] in choice.values for choice in single):
                return words.pop(0)
            return _shaped(next(choice for choice in choices if choice not in single), words)
    if not words:
        raise ValueError("there is too little")
    word = words.pop(0)
    if not isinstance(kind, inspect.IntType):
        return word
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"{word!r:.40} should be a number") from None
