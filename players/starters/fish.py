"""My strategy for Fish. (This first line is what others see of it.)

Every game gets a fresh Strategy, in a locked process of its own: no network, no files but its own small scratch
space, so many CPU seconds a move. What it prints goes to its log, which `referee check` shows.

    referee check fish FILE          would it be admitted?
    referee play fish FILE greedy    one game against a reference strategy
"""

from referee.games import fish


class Strategy:
    def placement(self, view: fish.View) -> fish.Tile:
        """Where to put my next penguin: one of view.free_tiles(), or just [row, col]."""
        # view.board[row][col] is the number of fish on a tile; 0 is a hole.
        return max(view.free_tiles(), key=lambda tile: view.board[tile.row][tile.col])

    def movement(self, view: fish.View) -> fish.Move:
        """Which penguin moves where: one of view.legal_moves(), or just [[row, col], [row, col]].

        What helps to choose:
            view.fish_gained(move)   the fish that a move earns: those on the tile that the penguin leaves
            view.after(move)         the position it leads to, with legal_moves(), after(...), points and more
            view.check(move)         why a move would be illegal, or None
            view.me, view.scores     my name, and everybody's fish so far
            view.history, view.news  all that happened, and what is new since my last turn
        """
        best: fish.Move = max(view.legal_moves(), key=view.fish_gained)
        return best

    # These are called as well, if they are there:
    #
    # def setup(self, view: fish.View) -> None: ...              once, before the game
    # def game_over(self, outcome: fish.Outcome) -> None: ...    outcome.won, .ranking, .scores, .kicked
    # def kicked(self, reason: str) -> None: ...                 shown out, and why
