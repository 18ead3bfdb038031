"""What happens in a game, as the observers and the record are told: each event carries the state after it."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from referee.games.game import State
from sandbox import Usage, Verdict


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened; `call` counts the game's asks, those that want no move included."""

    state: State
    call: int = 0

    @property
    def kind(self) -> str:
        return type(self).__name__.lower()


class Started(Event, frozen=True, kw_only=True):
    """The table is set; the state shows the board, the players in seat order and their colours."""


class Moved(Event, frozen=True, kw_only=True):
    """A move was made. `used` is what this answer cost; its peak of memory is the player's so far."""

    player: str
    method: str
    action: Any  # in its plain form
    used: Usage
    output: str = ""  # what it printed since it last moved, as far as it is kept


class Placed(Moved, frozen=True, kw_only=True):
    """A move of the opening, before anybody moves: a penguin put down, a first tile."""


class Kicked(Event, frozen=True, kw_only=True):
    """A player was shown out."""

    player: str
    verdict: Verdict
    turn: int  # the turn it failed in; for other calls the last turn before
    answer: Any = msgspec.UNSET  # the sound answer that the rules refused, in its plain form; unset for other kicks
    output: str = ""  # as of a move


class Ended(Event, frozen=True, kw_only=True):
    """The last call is answered; nothing follows."""

    result: Any  # referee.referee.Result


class Observer(Protocol):
    """Whoever looks on. One that raises or stalls is dropped; the game never notices."""

    def __call__(self, event: Event, /) -> None: ...
