"""The beginning of a quiet game, through frames: afterwards everything that a game's code makes on first use is made.

A zygote does this once, so that no worker has to: decoders, tables of a board's shape, specialised byte code.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from referee.games.game import Adapter, Game

_CALLS = 40  # enough to see every kind of question, few enough to take milliseconds


def play_through(game: Game, adapter: Adapter) -> Callable[[], None]:
    """Everybody plays the first legal move, seen through the view as a strategy gets it.

    Returns the short form, for each worker while it waits for its file: one question of each kind. What it writes
    to then is its own copy of the zygote's memory, and its first turns need not make one.
    """
    questions: dict[str, bytes] = {}
    state = game.setup([f"player {seat}" for seat in range(game.seats[-1])])
    for _ in range(_CALLS):
        if (ask := state.ask()) is None:
            break
        action, payload = None, msgspec.msgpack.encode(ask.view)
        answer = _answered(adapter, ask.method, payload, moves=ask.reply is not None)
        if answer is not None:
            questions[ask.method] = payload  # the last: the fuller the board, the more it touches
            action = msgspec.msgpack.decode(answer, type=ask.reply)
        state = state.commit(action)

    def again() -> None:
        for method, payload in questions.items():
            _answered(adapter, method, payload, moves=True)

    return again


def _answered(adapter: Adapter, method: str, payload: bytes, *, moves: bool) -> bytes | None:
    (view,) = adapter.arguments(method, payload)
    return msgspec.msgpack.encode(adapter.answer(method, view.legal_moves()[0])) if moves else None
