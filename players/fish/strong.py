"""Searches as deep as a fixed number of positions allows, and counts the ice each side would reach first.

Placing is searched like moving. Everyone else is taken to play against me, which is exact with two players. The
search goes one move deeper each time it has time left, and tries last time's good moves first.
"""

from __future__ import annotations

from typing import Any

from referee.games import fish

WIN = 1000.0  # any win is better than any promise
ENDLESS = 1e9
PROMISE = 0.6  # what a fish that I would reach first is worth beside one that I have


class OutOfNodes(Exception):
    """The search has looked at as many positions as it may."""


class Strategy:
    def __init__(self, nodes: int = 5000) -> None:
        self.nodes = nodes  # for one answer; a clock instead would make games that cannot be repeated

    def placement(self, view: fish.View) -> Any:
        return self.deepening(view)

    def movement(self, view: fish.View) -> Any:
        return self.deepening(view)

    def deepening(self, view: fish.View) -> Any:
        """The best action of the last search that was finished."""
        self.ice = Ice(view)
        self.left = self.nodes
        actions = view.legal_moves()
        depth = 0
        self.unfinished = len(actions) > 1
        try:
            while self.unfinished:
                self.unfinished = False
                values = self.values(view.position, actions, depth)
                actions.sort(key=values.__getitem__, reverse=True)
                depth += 1
        except OutOfNodes:
            pass
        return actions[0]

    def values(self, position: fish.Position, actions: list[Any], depth: int) -> dict[Any, float]:
        values = {}
        best = -ENDLESS
        for action in actions:
            values[action] = self.value(position.after(action), depth, best, ENDLESS)
            best = max(best, values[action])
        return values

    def value(self, position: fish.Position, depth: int, low: float, high: float) -> float:
        """How good a position is for me, as far as it lies between low and high."""
        self.left -= 1
        if self.left < 0:
            raise OutOfNodes
        if position.is_over:
            lead = self.ice.lead(position)
            return lead + (WIN if lead > 0 else -WIN if lead < 0 else 0)
        if depth == 0:
            self.unfinished = True
            return self.ice.lead(position) + PROMISE * self.ice.promised(position)
        actions = position.legal_moves()
        if depth > 1:
            actions.sort(key=lambda action: self.looks(position, action), reverse=True)
        mine = position.seat == self.ice.me
        for action in actions:
            value = self.value(position.after(action), depth - 1, low, high)
            if mine:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        return low if mine else high

    def looks(self, position: fish.Position, action: Any) -> int:
        """A guess at how good an action is, to try the good ones first: the fish of the tiles it touches."""
        cells = position.grid.cells
        if isinstance(action, fish.Move):
            return position.fish[cells[action.start]] + position.fish[cells[action.end]]
        return position.fish[cells[action]]


class Ice:
    """Judges positions of one board. A set of tiles is an integer with a bit a tile, in row-major order."""

    def __init__(self, view: fish.View) -> None:
        position = view.position
        tiles = list(enumerate(position.grid.tiles))
        self.me = position.names.index(view.me)
        self.width = position.grid.columns
        # Some sideways neighbours of these lie in the column before, or after; at the edge there are none.
        self.left_ward = sum(1 << cell for cell, tile in tiles if not tile.row % 2 and tile.col > 0)
        self.right_ward = sum(1 << cell for cell, tile in tiles if tile.row % 2 and tile.col < self.width - 1)
        self.by_fish = [
            (count, sum(1 << cell for cell, fish_here in enumerate(position.fish) if fish_here == count))
            for count in sorted(set(position.fish) - {0})
        ]

    def lead(self, position: fish.Position) -> int:
        """My fish, less those of the best of the others."""
        others = [points for seat, points in enumerate(position.points) if seat != self.me]
        return position.points[self.me] - max(others)

    def promised(self, position: fish.Position) -> int:
        """The fish that I would reach before the others do, less those that they would reach before me."""
        mine = theirs = 0
        for seat, cells in enumerate(position.penguins):
            for cell in cells:
                if seat == self.me:
                    mine |= 1 << cell
                else:
                    theirs |= 1 << cell
        unclaimed = position.free
        # A penguin that can still move will take its own tile's fish as it leaves.
        movable = self.around(unclaimed)
        mine &= movable
        theirs &= movable
        my_ice, their_ice = mine, theirs
        while mine or theirs:
            mine, theirs = self.around(mine) & unclaimed, self.around(theirs) & unclaimed
            unclaimed &= ~(mine | theirs)
            my_ice |= mine & ~theirs
            their_ice |= theirs & ~mine
        return self.fish_on(my_ice) - self.fish_on(their_ice)

    def around(self, tiles: int) -> int:
        """All neighbours of a set of tiles at once; one row is `width` bits further."""
        width = self.width
        left, right = tiles & self.left_ward, tiles & self.right_ward
        straight = tiles << 2 * width | tiles >> 2 * width | tiles << width | tiles >> width
        return straight | left << width - 1 | left >> width + 1 | right << width + 1 | right >> width - 1

    def fish_on(self, tiles: int) -> int:
        return sum(count * (tiles & those).bit_count() for count, those in self.by_fish)
