"""The beginning of a quiet game, through frames: afterwards everything that a game's code makes on first use is made.

A zygote does this once, so that no worker has to: decoders, tables of a board's shape, specialised byte code.
"""

from __future__ import annotations

import msgspec

from referee.games.game import Adapter, Game

_CALLS = 40  # enough to see every kind of question, few enough to take milliseconds


def play_through(game: Game, adapter: Adapter) -> None:
    """Everybody plays the first legal move, seen through the view as a strategy gets it."""
    state = game.setup([f"player {seat}" for seat in range(game.seats[-1])])
    for _ in range(_CALLS):
        if (ask := state.ask()) is None:
            return
        (view,) = adapter.arguments(ask.method, msgspec.msgpack.encode(ask.view))
        action = None
        if ask.reply is not None:
            plain = adapter.answer(ask.method, view.legal_moves()[0])
            action = msgspec.msgpack.decode(msgspec.msgpack.encode(plain), type=ask.reply)
        state = state.commit(action)
