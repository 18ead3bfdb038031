"""A saved state that a submission is asked in, and the answers that are listed for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from referee.games.game import Ask, Game, State


class Position(msgspec.Struct, frozen=True):
    """A state in which somebody is asked for a move."""

    state: State
    ask: Ask

    def action(self, plain: Any) -> Any:
        """The move that a plain form means here; a ValueError says why there is none, or why it is illegal."""
        try:
            action = msgspec.convert(plain, self.ask.reply)
        except msgspec.ValidationError as error:
            raise ValueError(f"it is no answer to {self.ask.method}: {error}") from None
        if (why := self.state.check(action)) is not None:
            raise ValueError(why)
        return action


def position(game: Game, path: Path) -> Position:
    """What `referee replay --state` wrote, moved on to the next ask for a move; a ValueError says what is wrong."""
    try:
        state = game.load(msgspec.json.decode(path.read_bytes(), type=dict[str, Any]))
        while (ask := state.ask()) is not None and ask.reply is None:
            state = state.commit(None)
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is no saved state of {game.name}: {error}") from None
    if ask is None:
        raise ValueError("the game is over there, and nobody is asked anything")
    return Position(state, ask)
