"""Random games of Tsuro for five, all options of every turn judged."""

from __future__ import annotations

import random

from referee.games import tsuro

PLAYERS = ("white", "black", "red", "green", "blue")
CONFIG = tsuro.Config(tiles="shuffled")


def playout(seed: int) -> int:
    """Plays one game through its states and returns the moves made, first placements included."""
    generator = random.Random(seed)
    state = tsuro.game.setup(PLAYERS, CONFIG, seed)
    while (ask := state.ask()) is not None:
        view = ask.view
        if ask.method == "move":
            legal = view.legal_tiles()
            state = state.commit(generator.choice(legal)) if legal else state.kick(ask.player)
        elif ask.method == "initial_placement":
            square = generator.choice(view.free_squares())
            port = generator.choice(view.inward_ports(square))
            state = state.commit(((view.hand[0], 0), square, port))
        else:
            state = state.commit(None)
    return state.turn
