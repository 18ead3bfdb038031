"""My strategy for Tsuro. (This first line is what others see of it.)

Every game gets a fresh Strategy, in a locked process of its own: no network, no files but its own small scratch
space, so many CPU seconds a move. What it prints goes to its log, which `referee check` shows.

    referee check tsuro FILE                would it be admitted?
    referee play tsuro FILE second third    one game against reference strategies
"""

from referee.games import tsuro


class Strategy:
    def initial_placement(self, view: tsuro.View) -> tsuro.Placement:
        """My first tile and where I stand: [[index, degrees], [x, y], port]."""
        square = view.free_squares()[0]  # on the edge, clockwise from (1, 0)
        port = view.inward_ports(square)[0]  # "A" to "H", clockwise, beginning at the top left
        return tsuro.Placement(tsuro.Tile(view.hand[0], 0), square, port)

    def move(self, view: tsuro.View) -> tsuro.Tile:
        """One of my two tiles, turned by 0, 90, 180 or 270 degrees: [index, degrees].

        What helps to choose:
            view.legal_tiles()       every legal answer
            view.after(tile)         the position it leads to; raises tsuro.Illegal
            view.check(tile)         why a tile would be illegal, or None
            view.hand, view.square   the indices of my tiles, and where my tile will go
            view.avatar              where I stand
            view.position            the board, with everybody's avatars
            view.history, view.news  all that happened, and what is new since my last turn
        """
        legal = view.legal_tiles()
        if not legal:  # rare: then nothing can be done
            return tsuro.Tile(view.hand[0], 0)
        # Stay away from the edge: the more ways on, the better.
        return max(legal, key=lambda tile: self.room(view, tile))

    def room(self, view: tsuro.View, tile: tsuro.Tile) -> int:
        """How far from the nearest edge the square is that I would look at next; -1 if I am out."""
        square = view.after(tile).looks_at(view.seat)
        if square is None:
            return -1
        return min(square.x, square.y, view.position.width - 1 - square.x, view.position.height - 1 - square.y)

    # These are called as well, if they are there:
    #
    # def setup(self, view: tsuro.View) -> None: ...              once, before the game
    # def game_over(self, outcome: tsuro.Outcome) -> None: ...    outcome.won, .ranking, .scores, .kicked
    # def kicked(self, reason: str) -> None: ...                  shown out, and why
