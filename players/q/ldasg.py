"""Less dumb and still greedy: its smallest tile that fits, at the place with most neighbours, again and again."""

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
        for tile in sorted(set(view.hand)):
            places = view.map.places_for(tile)
            if places:
                # The first of those with most neighbours: max keeps the earliest, and places come in order.
                return ((max(places, key=lambda place: len(view.map.neighbours(place))), tile),)
        return view.legal_moves()[0]
