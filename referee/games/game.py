"""What every game gives the referee: the protocols that rules, views and players share.

States are immutable values: `commit` and `kick` return new ones. Nothing here or in any game reads a
clock, a file or a global random generator.

What makes a replay better, and no game must have: its package may hold `told(before, action, after)`, the rest of a
sentence that begins with a player's name, and `out(state)`, the players that the rules (not the referee) put out of
the game. A picture may say of an element by `data-key` which it is, so that it moves when its place changes; by the
class `legend` that a page tells the same beside the board, `ground` that it is background, `void` that it is an empty
place, `note` that it is drawn on those (a dark page dims the one and brightens the other); and of the whole by
`data-board`, "x y width height", where in it the board is. A state's `tints()` says what its text has in which colour:
colours by regular expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec


class Illegal(Exception):
    """An action the rules refuse; its text is a sentence a student can act on."""


class Ask(msgspec.Struct, frozen=True):
    """Whom the game waits for, what it asks, and exactly what that player may know."""

    player: str
    method: str
    view: Any
    reply: Any  # the type a plain answer must decode to; None when the call wants no answer


class Outcome(msgspec.Struct, frozen=True):
    """What `game_over` is told."""

    won: bool
    ranking: tuple[tuple[str, ...], ...]
    scores: dict[str, int]
    kicked: tuple[str, ...]


class State(Protocol):
    """One position of one game, with everything needed to play on."""

    @property
    def players(self) -> tuple[str, ...]: ...  # every seat, in order, kicked ones too

    @property
    def kicked(self) -> tuple[str, ...]: ...  # in the order they left

    @property
    def phase(self) -> str: ...

    @property
    def turn(self) -> int: ...  # asks for a move so far, failed ones included

    @property
    def is_over(self) -> bool: ...  # true before the `game_over` asks

    def ask(self) -> Ask | None: ...  # None after the last `game_over`

    def check(self, action: Any) -> str | None: ...  # why it would be illegal, without committing it

    def commit(self, action: Any) -> State: ...  # None answers an ask that wants no move; raises Illegal

    def kick(self, player: str) -> State: ...

    def reseated(self, players: Sequence[str]) -> State: ...  # see `seating`; who is still in is set up anew

    def public(self) -> Any: ...  # what any spectator may see

    def ranking(self) -> list[set[str]]: ...  # best first, ties share a set, kicked players left out

    def scores(self) -> dict[str, int]: ...

    def save(self) -> dict[str, Any]: ...  # JSON-able; `Game.load` plays on from it identically

    def svg(self) -> str: ...

    def text(self) -> str: ...  # the same drawing for a terminal


class Game(Protocol):
    """The rules of one game."""

    @property
    def name(self) -> str: ...

    @property
    def seats(self) -> range: ...  # how many may play: range(2, 5) is two to four

    @property
    def config(self) -> type[msgspec.Struct]: ...  # every field has a default

    @property
    def required(self) -> tuple[str, ...]: ...  # the methods a strategy must define

    @property
    def optional(self) -> tuple[str, ...]: ...

    def setup(self, players: Sequence[str], config: Any = None, seed: int = 0) -> State: ...

    def load(self, data: Mapping[str, Any]) -> State: ...


def colors(state: State) -> dict[str, str]:
    """The colour of each player, in a game that has them."""
    for holder in (state, state.public()):
        if dealt := getattr(holder, "colors", None):
            return dict(zip(state.players, dealt, strict=True))
    return {}


def seating(before: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Who sits down in whose place when others play on from a saved state; a ValueError if they do not fit."""
    if len(players) != len(before):
        raise ValueError(f"the saved game has {len(before)} seats, not {len(players)}")
    if len(set(players)) < len(players):
        raise ValueError("two players have the same name")
    return dict(zip(before, players, strict=True))


class Adapter:
    """Turns a frame's bytes into a strategy's arguments, and its answer into plain data, inside a box."""

    def __init__(self, views: Mapping[str, Any], plain: Callable[[str, Any], Any]) -> None:
        self._decode: dict[str, Callable[[bytes], Any]] = {
            method: msgspec.msgpack.Decoder(view).decode for method, view in views.items()
        }
        self.answer = plain

    def arguments(self, method: str, payload: bytes) -> tuple[Any, ...]:
        return (self._decode[method](payload),)
