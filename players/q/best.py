"""The highest-scoring placement it can find, growing the few best of each length by one more tile."""

from __future__ import annotations

from referee.games import q


class Strategy:
    def __init__(self, width: int = 2) -> None:
        self.width = width  # how many placements of each length are grown further

    def take_turn(self, view: q.View) -> q.Action:
        best: q.Action = q.EXCHANGE if view.pile >= len(view.hand) else q.PASS
        most = 0
        grown: list[q.Placement] = [()]
        while grown:
            longer = {frozenset(after): after for before in grown for after in self.one_more(view, before)}
            grown = sorted(longer.values(), key=view.points, reverse=True)[: self.width]
            if grown and view.points(grown[0]) > most:
                best, most = grown[0], view.points(grown[0])
        return best

    def one_more(self, view: q.View, placement: q.Placement) -> list[q.Placement]:
        """Every way to go on with one more tile in the same row or column."""
        now = view.after(placement) if placement else view
        longer = [placement + move for move in now.legal_moves() if move != q.EXCHANGE and move != q.PASS]
        return [each for each in longer if self.in_line(each)]

    def in_line(self, placement: q.Placement) -> bool:
        rows = {row for (row, _), _ in placement}
        columns = {column for (_, column), _ in placement}
        return len(rows) == 1 or len(columns) == 1
