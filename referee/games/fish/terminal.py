"""A game of Fish as plain text, for a terminal."""

from __future__ import annotations

from referee.games.fish.grid import Tile
from referee.games.fish.views import Player, Public
from referee.games.label import label

MARKS = {"red": "R", "white": "W", "brown": "Br", "black": "Bk"}
# What to colour: the tiles that penguins stand on, and the marks before their players.
TINTS = {rf"(?:\d|(?<=^[> ] )){mark}(?!\w)": color for color, mark in MARKS.items()}
PITCH = 8  # characters from one tile to the next in its row


def text(public: Public) -> str:
    """Fish are digits, penguins the marks of their colors, holes dots."""
    marks = {tile: MARKS[player.color] for player in public.players for tile in player.penguins}
    lines = [headline(public), ""]
    for row, counts in enumerate(public.board):
        cells = [f"{count or '.'}{marks.get(Tile(row, col), '')}" for col, count in enumerate(counts)]
        shift = " " * (PITCH // 2 if row % 2 else 0)
        lines.append(f"{row:>3}  {shift}{''.join(f'{cell:<{PITCH}}' for cell in cells)}".rstrip())
    lines.append("")
    for player in public.players:
        turn = ">" if player.name == public.mover else " "
        lines.append(f"{turn} {MARKS[player.color]:<2}  {summary(player, public):<26}  {label(player.name)}")
    return "\n".join(lines) + "\n"


def headline(public: Public) -> str:
    """The phase, the turn and whose it is, in a line."""
    colors = {player.name: player.color for player in public.players}
    whose = "" if public.mover is None else f", {colors[public.mover]} to act"
    return f"Fish, {public.phase}, after turn {public.turn}{whose}"


def summary(player: Player, public: Public) -> str:
    """A player's color, score and standing."""
    parts = [player.color, f"{player.score} fish"]
    if player.kicked:
        parts.append("kicked")
    elif player.to_place:
        parts.append("out" if public.mover is None else f"{player.to_place} to place")
    return ", ".join(parts)
