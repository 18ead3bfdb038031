"""Looks some of its own turns ahead, taking everyone else to want its score low.

The value of a line of play is my score at its end; what the others earn counts for nothing. Between equally
good moves it takes the smallest from-row, then from-column, to-row, to-column.
"""

from __future__ import annotations

from referee.games import fish

HIGHEST = 10**9


class Strategy:
    def __init__(self, depth: int = 2) -> None:
        self.depth = depth  # how many of my own turns, those that I have to skip included

    def placement(self, view: fish.View) -> fish.Tile:
        return view.free_tiles()[0]

    def movement(self, view: fish.View) -> fish.Move | None:
        self.me = view.position.names.index(view.me)
        best, best_score = None, -1
        for move in sorted(view.legal_moves()):
            score = self.explore(view.position, move, self.depth, best_score, HIGHEST)
            if score > best_score:
                best, best_score = move, score
        return best

    def explore(self, before: fish.Position, move: fish.Move, turns: int, floor: int, ceiling: int) -> int:
        """My score after a move, if all goes on as expected; beyond floor or ceiling nobody asks how far."""
        position = before.after(move)
        turns -= before.seat == self.me or self.passed_over(before.seat, position.seat, len(before.names))
        if turns <= 0 or position.is_over:
            return position.points[self.me]
        if position.seat == self.me:
            for move in position.legal_moves():
                floor = max(floor, self.explore(position, move, turns, floor, ceiling))
                if floor >= ceiling:
                    break
            return floor
        for move in position.legal_moves():
            ceiling = min(ceiling, self.explore(position, move, turns, floor, ceiling))
            if floor >= ceiling:
                break
        return ceiling

    def passed_over(self, last: int, now: int, seats: int) -> bool:
        """Whether my seat lies between the one that moved and the one that moves next: I could not move."""
        steps = (now - last) % seats or seats
        return 0 < (self.me - last) % seats < steps
