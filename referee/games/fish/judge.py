"""What is wrong with an action, in a sentence that its player can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.fish.grid import Move, Tile

if TYPE_CHECKING:
    from referee.games.fish.position import Position


def why_not_place(position: Position, tile: Tile) -> str:
    """The sentence for a tile on which no penguin can be placed."""
    return _blocked(position, tile) or f"{tile} is free"


def why_not_move(position: Position, move: Move) -> str:
    """The sentence for a move that the player to act cannot make."""
    grid = position.grid
    start, end = move
    mine = [grid.tiles[cell] for cell in position.penguins[position.seat]]
    if start not in mine:
        where = ", ".join(map(str, mine)) or "nowhere"
        return f"you have no penguin on {_short(start)}; yours stand on {where}"
    if start == end:
        return f"a penguin must leave its tile, and {start} is where it stands"
    if end not in grid.cells:
        return _outside(position, end)
    line = grid.lines.get(move)
    if line is None:
        return f"{move} is not a straight line over touching sides"
    path = [tile for bit, tile in grid.bits if line.path & bit]
    # The one nearest to the start is what a student has to go round.
    blocks = [tile for tile in path if _blocked(position, tile)]
    first = min(blocks, key=lambda tile: grid.lines[Move(start, tile)].path.bit_count(), default=end)
    return _blocked(position, first) + ("" if first == end else f", and lies between {start} and {end}")


def _blocked(position: Position, tile: Tile) -> str:
    """Why nobody can come to a tile; empty when somebody could."""
    cell = position.grid.cells.get(tile)
    if cell is None:
        return _outside(position, tile)
    if not position.fish[cell]:
        return f"{tile} is a hole"
    for name, cells in zip(position.names, position.penguins, strict=True):
        if cell in cells:
            whose = "your own" if name == position.player else "another player's"
            return f"{tile} is taken by {whose} penguin"
    return ""


def _outside(position: Position, tile: Tile) -> str:
    last = position.grid.tiles[-1]
    return f"{_short(tile)} is not on the board, which goes from (0, 0) to {last}"


def _short(tile: Tile) -> str:
    fits = all(abs(part) < 10**6 for part in tile)
    return str(tile) if fits else "that tile"
