"""Dumb and greedy: its smallest tile that fits, at the first place by row and column, again and again."""

from __future__ import annotations

from referee.games import q


class Strategy:
    def take_turn(self, view: q.View) -> q.Action:
        placement: q.Placement = ()
        now = view
        while True:
            step = self.step(now)
            if step == q.EXCHANGE or step == q.PASS or view.check(placement + step):
                return placement or step
            placement += step
            now = now.after(step)

    def step(self, view: q.View) -> q.Action:
        # Legal moves come by tile, row and column; then exchange, where it is legal; then pass.
        return view.legal_moves()[0]
