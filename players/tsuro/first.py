"""Begins on the first free square clockwise; then plays its first tile as it comes, legal or not."""

from referee.games import tsuro


class Strategy:
    def initial_placement(self, view: tsuro.View) -> tsuro.Placement:
        square = view.free_squares()[0]
        return tsuro.Placement(tsuro.Tile(view.hand[2], 0), square, view.inward_ports(square)[0])

    def move(self, view: tsuro.View) -> tsuro.Tile:
        return tsuro.Tile(view.hand[0], 0)
