"""A game as plain text, for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.label import label
from referee.games.tsuro import captions
from referee.games.tsuro.rules import COLORS
from referee.games.tsuro.tiles import TURNS

if TYPE_CHECKING:
    from referee.games.tsuro.state import State

ARROWS = dict(zip(TURNS, "^>v<", strict=True))  # where the top of a tile points to
CELL = 6
# What to colour: the avatars on their tiles, where several may stand, and the letters before their players.
_ON_A_TILE = "|".join(rf"(?<=\d[\^>v<][{captions.LETTERS}]{{{others}}})" for others in range(len(COLORS)))
TINTS = {
    rf"(?:{_ON_A_TILE}|(?<=^[> ] )){letter}": color for letter, color in zip(captions.LETTERS, COLORS, strict=True)
}


def text(state: State, *, hands: bool = False) -> str:
    """The tiles by index and turn, the avatars by letter; with `hands` also the tiles to choose from."""
    board = state.position
    lines = [f"Tsuro, {captions.headline(state)}", ""]
    lines.append("    " + "".join(f"{x:^{CELL}}" for x in range(board.width)).rstrip())
    for y in range(board.height):
        row = "".join(f"{_cell(state, x, y):^{CELL}}" for x in range(board.width))
        lines.append(f"{y:>3} {row}".rstrip())
    lines.append("")
    for seat, player in enumerate(state.players):
        asked = ">" if player == state.to_move else " "
        name = label(player)
        lines.append(f"{asked} {captions.LETTERS[seat]} {COLORS[seat]:<5}  {name}: {captions.standing(state, seat)}")
    if hands and state.hand:
        lines += ["", f"to choose from: {', '.join(map(str, state.hand))}"]
    return "\n".join(lines) + "\n"


def _cell(state: State, x: int, y: int) -> str:
    board = state.position
    tile = board.tile((x, y))
    if tile is None:
        asked = state.stage == "moving" and board.looks_at(state.seat) == (x, y)
        return "[ ]" if asked else "."
    number = y * board.width + x
    here = "".join(captions.LETTERS[seat] for seat in board.alive if board.avatars[seat] >> 3 == number)
    return f"{tile.kind}{ARROWS[tile.degrees]}{here}"
