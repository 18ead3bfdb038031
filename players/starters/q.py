"""My strategy for Q. (This first line is what others see of it.)

Every game gets a fresh Strategy, in a locked process of its own: no network, no files but its own small scratch
space, so many CPU seconds a move. What it prints goes to its log, which `referee check` shows.

    referee check q FILE       would it be admitted?
    referee play q FILE dag    one game against a reference strategy
"""

from referee.games import q


class Strategy:
    def take_turn(self, view: q.View) -> q.Action:
        """What to do: tiles to put down, [((row, column), tile), ...], or "exchange" my hand, or "pass".

        What helps to choose:
            view.legal_moves()       every placement of a single tile, then "exchange" if allowed, then "pass"
            view.points(action)      what an action would score
            view.check(action)       why an action would be illegal, or None; several tiles must be in one line
            view.after(action)       the view after it: put down one tile, look on from there
            view.hand, view.map      my tiles, and those on the table
            view.pile                how many tiles are left to draw
            view.me, view.scores     my name, and everybody's points so far
            view.history, view.news  all that happened, and what is new since my last turn
        """
        placement: q.Placement = ()
        now = view
        while True:
            best = max(now.legal_moves(), key=now.points)
            if best == q.EXCHANGE or best == q.PASS or view.check(placement + best) is not None:
                break
            placement += best  # it goes on from there, as long as all of it is one legal placement
            now = now.after(best)
        if placement:
            return placement
        return q.EXCHANGE if view.check(q.EXCHANGE) is None else q.PASS

    # These are called as well, if they are there:
    #
    # def setup(self, view: q.View) -> None: ...                     once, before the game
    # def new_tiles(self, tiles: tuple[q.Tile, ...]) -> None: ...    what I drew after a turn
    # def game_over(self, outcome: q.Outcome) -> None: ...           outcome.won, .ranking, .scores, .kicked
    # def kicked(self, reason: str) -> None: ...                     shown out, and why
