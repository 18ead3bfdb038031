"""One game in process: strategies of this repository at one table, no boxes, no clocks."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.game import Illegal, State


def play(state: State, players: Mapping[str, object]) -> State:
    """Asks until the game is over; whoever raises or answers against the rules is kicked.

    A strategy's method that is not defined is skipped when no answer is wanted. An exception out of the rules
    themselves is nobody's misconduct and comes through.
    """
    while (ask := state.ask()) is not None:
        method = getattr(players[ask.player], ask.method, None)
        if method is None and ask.reply is None:
            state = state.commit(None)
            continue
        try:
            answer = method(ask.view)  # type: ignore[misc]  # a missing move is a failure like any other
        except Exception:
            state = state.kick(ask.player)
            continue
        try:
            state = state.commit(None if ask.reply is None else answer)
        except Illegal:
            state = state.kick(ask.player)
    return state
