"""Begins like `first`; then plays the first legal turn of its first tile, else of its second."""

from referee.games import tsuro


class Strategy:
    def initial_placement(self, view: tsuro.View) -> tsuro.Placement:
        square = view.free_squares()[0]
        return tsuro.Placement(tsuro.Tile(view.hand[2], 0), square, view.inward_ports(square)[0])

    def move(self, view: tsuro.View) -> tsuro.Tile:
        return next(iter(view.legal_tiles()), tsuro.Tile(view.hand[0], 0))
