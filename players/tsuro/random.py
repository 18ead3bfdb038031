"""Begins anywhere and plays any legal tile."""

import random

from referee.games import tsuro


class Strategy:
    def initial_placement(self, view: tsuro.View) -> tsuro.Placement:
        tile = tsuro.Tile(random.choice(view.hand), random.choice(tsuro.TURNS))
        square = random.choice(view.free_squares())
        return tsuro.Placement(tile, square, random.choice(view.inward_ports(square)))

    def move(self, view: tsuro.View) -> tsuro.Tile:
        # Where loops and suicides are mixed nothing may be legal; then there is nothing to lose.
        return random.choice(view.legal_tiles() or tsuro.TILES[:1])
