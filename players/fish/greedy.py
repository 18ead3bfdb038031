"""Takes the most fish it can, now: stands on the richest tile, and leaves the richest tile first."""

from __future__ import annotations

from referee.games import fish


class Strategy:
    def placement(self, view: fish.View) -> fish.Tile:
        return max(view.free_tiles(), key=lambda tile: view.board[tile.row][tile.col])

    def movement(self, view: fish.View) -> fish.Move:
        best: fish.Move = max(view.legal_moves(), key=lambda move: self.worth(view, move))
        return best

    def worth(self, view: fish.View, move: fish.Move) -> tuple[int, int]:
        """The fish that a move earns, and as much as the next one will, from the tile it goes to."""
        return view.fish_gained(move), view.board[move.end.row][move.end.col]
