"""An honest stranger: goes where it can still move afterwards, and takes fish on the way."""

from referee.games import fish


class Strategy:
    def placement(self, view: fish.View) -> fish.Tile:
        return max(view.free_tiles(), key=lambda tile: self.fish_around(view, tile))

    def movement(self, view: fish.View) -> fish.Move:
        best: fish.Move = max(view.legal_moves(), key=lambda move: (view.fish_gained(move), self.ways_on(view, move)))
        return best

    def fish_around(self, view: fish.View, tile: fish.Tile) -> int:
        free = set(view.free_tiles())
        return sum(view.board[near.row][near.col] for near in fish.neighbours(*tile) if near in free)

    def ways_on(self, view: fish.View, move: fish.Move) -> int:
        """How many tiles the penguin could step to next."""
        free = set(view.free_tiles())
        return sum(near in free for near in fish.neighbours(*move.end))
