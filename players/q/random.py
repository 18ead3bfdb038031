"""Puts down one tile, any that fits anywhere; exchanges, or passes, only when none does."""

from __future__ import annotations

import random

from referee.games import q


class Strategy:
    def take_turn(self, view: q.View) -> q.Action:
        moves = view.legal_moves()
        placements = [move for move in moves if move not in (q.EXCHANGE, q.PASS)]
        return random.choice(placements or moves)
