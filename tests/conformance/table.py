"""One game through the real referee: strategies of this repository in process, scripted misbehaviour in boxes."""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Mapping
from contextlib import ExitStack

from referee import games
from referee.games.game import Game, Illegal, State
from referee.match import Entrant, Terms
from referee.player import Trusted
from referee.referee import Referee, zygote_for
from sandbox import Budget, Submission, Zygote

# Enough for an honest answer of these strategies, and soon over for an endless loop; a busy machine has time.
_BUDGET = Budget(cpu=0.3, wall=10.0)
TERMS = Terms(move=_BUDGET, setup=_BUDGET)

_boxes = ExitStack()
_zygotes: dict[str, Zygote] = {}


def refereed(game: Game, state: State, players: Mapping[str, object]) -> State:
    """The end of a game that goes on from a state; a player is a strategy, or the text of one that needs a box."""
    entrants = [
        Entrant(name, _submission(player)) if isinstance(player, str) else Entrant(name, sit=Trusted.seat(player))
        for name, player in players.items()
    ]
    boxes = _zygote(game.name) if any(entrant.sit is None for entrant in entrants) else None
    return Referee(game, entrants, start=state, terms=TERMS, zygote=boxes).run().state


def _submission(text: str) -> Submission:
    source = text.encode()
    return Submission("strategy", "strategy.py", {"strategy.py": source}, False, hashlib.sha256(source).hexdigest())


def _zygote(game: str) -> Zygote:
    """One for all games of a kind. Missing layers are accepted: these are no strangers, all they do is written here."""
    if game not in _zygotes:
        _zygotes[game] = _boxes.enter_context(zygote_for(games.get(game), accept_missing_layers=True, spares=2))
    return _zygotes[game]


@atexit.register
def close() -> None:
    """Ends the zygotes; the next game that needs one makes it anew."""
    _zygotes.clear()
    _boxes.close()


def play(state: State, players: Mapping[str, object]) -> State:
    """The same without a referee, for tests of rules and strategies alone: no boxes, no clocks, no verdicts.

    Asks until the game is over; whoever raises or answers against the rules is kicked. A strategy's method
    that is not defined is skipped when no answer is wanted. An exception out of the rules themselves is
    nobody's misconduct and comes through.
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
