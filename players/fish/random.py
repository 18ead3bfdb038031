"""Does anything that is allowed."""

from __future__ import annotations

import random

from referee.games import fish


class Strategy:
    def placement(self, view: fish.View) -> fish.Tile:
        return random.choice(view.free_tiles())

    def movement(self, view: fish.View) -> fish.Move:
        move: fish.Move = random.choice(view.legal_moves())
        return move
