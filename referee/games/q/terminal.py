"""A game of Q as plain text, and the words that go with any drawing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.games.label import label
from referee.games.q.tiles import COLORS, SHAPES, Tile

if TYPE_CHECKING:
    from referee.games.q.state import State
    from referee.games.q.view import Entry

MARKS = dict(zip(SHAPES, "*8#o%^", strict=True))  # one sign a shape, for want of better in a terminal
LETTERS = {color: color[0].upper() for color in COLORS}
# What to colour: the tiles, and the letters where they are explained.
TINTS: dict[str, str] = {
    rf"(?<!\S){letter}(?:[{re.escape(''.join(MARKS.values()))}](?!\S)| {color}\b)": color
    for color, letter in LETTERS.items()
}
MOST_CELLS = 40_000  # a map that is scattered wider is told as a list


def text(state: State, *, hands: bool = False) -> str:
    lines = [headline(state), "", *_map(state), ""]
    width = max(len(label(player)) for player in state.players)
    for seat, player in enumerate(state.players):
        turn = ">" if player == state.to_move else " "
        held = " ".join(code(tile) for tile in state.hands[seat]) if hands else ""
        lines.append(f"{turn} {label(player):<{width}}  {standing(state, seat)}  {held}".rstrip())
    lines += ["", "letters are colours: " + ", ".join(f"{letter} {color}" for color, letter in LETTERS.items())]
    lines.append("signs are shapes: " + ", ".join(f"{sign} {shape}" for shape, sign in MARKS.items()))
    return "\n".join(lines) + "\n"


def code(tile: Tile) -> str:
    return LETTERS[tile.color] + MARKS[tile.shape]


def _map(state: State) -> Iterator[str]:
    tiles = state.map.tiles
    rows = range(min(row for row, _ in tiles), max(row for row, _ in tiles) + 1)
    columns = range(min(column for _, column in tiles), max(column for _, column in tiles) + 1)
    if len(rows) * len(columns) > MOST_CELLS:
        yield from (f"({row}, {column}) {tile}" for (row, column), tile in sorted(tiles.items()))
        return
    margin = max(len(str(rows[0])), len(str(rows[-1])))
    cell = max(3, len(str(columns[0])) + 1, len(str(columns[-1])) + 1)
    yield " " * margin + "".join(f"{column:>{cell}}" for column in columns)
    for row in rows:
        places = (tiles.get((row, column)) for column in columns)
        cells = ("." if tile is None else code(tile) for tile in places)
        yield f"{row:>{margin}}" + "".join(f"{shown:>{cell}}" for shown in cells)


def headline(state: State) -> str:
    pile = "1 tile" if len(state.pile) == 1 else f"{len(state.pile)} tiles"
    if state.is_over:
        return f"Q, over after turn {state.turn}, {pile} left in the pile"
    return f"Q, turn {state.turn + 1}, {pile} in the pile"


def standing(state: State, seat: int) -> str:
    """What a player has, holds and did last."""
    player, points, held = state.players[seat], state.points[seat], len(state.hands[seat])
    told = f"{points} point{'s' * (points != 1)}"
    if player in state.kicked:
        return f"{told}, kicked"
    told += f", {held} tile{'s' * (held != 1)}"
    if state.is_over and player in state.final[0]:
        return f"{told}, wins"
    entry = next((entry for entry in reversed(state.history) if entry.player == player), None)
    return told if entry is None else f"{told}, {_deed(entry)}"


def _deed(entry: Entry) -> str:
    match entry.action:
        case "pass":
            return "passed"
        case "exchange":
            return "exchanged"
        case str():
            return "kicked"
    return f"placed {len(entry.action)} for {entry.points}"
