"""Q from a fresh pile, four players: all legal single-tile placements found and one of them committed."""

from __future__ import annotations

import random

from referee.games import q


def playout(seed: int) -> int:
    """Plays a random game to its end through the real state; how many turns it took."""
    rng = random.Random(seed)
    state = q.game.setup(["A", "B", "C", "D"], None, seed)
    while (ask := state.ask()) is not None:
        if ask.reply is None:
            state = state.commit(None)
        else:
            moves = ask.view.legal_moves()
            state = state.commit(moves[int(rng.random() * len(moves))])
    return state.turn
