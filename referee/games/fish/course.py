"""The course's own JSON for boards and states, read and written at the edge.

Its state is {"players": [{"color", "score", "places"}, ...], "board": [[fish, ...], ...]}; the first player
of the list is the one to move, and rows may differ in length.
"""

from __future__ import annotations

from typing import Any

from referee.games.fish.config import padded
from referee.games.fish.grid import Tile, grid
from referee.games.fish.position import Position
from referee.games.fish.views import free_cells


def position(data: dict[str, Any]) -> Position:
    """All penguins placed, the first player to move whether or not it can; names are the colors."""
    rows = padded(tuple(map(tuple, data["board"])))
    table = grid(len(rows), len(rows[0]))
    fish = bytes(count for row in rows for count in row)
    players = data["players"]
    penguins = tuple(tuple(table.cells[Tile(*place)] for place in player["places"]) for player in players)
    return Position(
        table,
        fish,
        free_cells(fish, penguins),
        tuple(player["color"] for player in players),
        penguins,
        (0,) * len(players),
        tuple(player["score"] for player in players),
        0,
    )


def state(position: Position, first: int = 0) -> dict[str, Any]:
    """The JSON of a position whose list of players begins with the seat `first`."""
    seats = [*range(first, len(position.names)), *range(first)]
    return {
        "players": [
            {
                "color": position.names[seat],
                "score": position.points[seat],
                "places": [list(tile) for tile in position.penguins_of(position.names[seat])],
            }
            for seat in seats
        ],
        "board": [list(row) for row in position.board],
    }
