"""The tiles to choose from, for a person at a terminal: their paths turned each way, and what each would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.games.tsuro import rules
from referee.games.tsuro.board import OFF, Option, grid
from referee.games.tsuro.tiles import PORTS, TURNS, Tile, least_turned, pairs

if TYPE_CHECKING:
    from referee.games.tsuro.views import View

_SIDES = (
    "ports of a tile:    A B",
    "                  H     C",
    "                  G     D",
    "                    F E",
)


def text(view: View) -> str:
    """Every tile of the hand in every turn that makes a difference."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: View) -> Iterator[str]:
    yield from _SIDES
    options: dict[Tile, Option] = {}
    if view.square is None:
        yield "your first tile goes on a square of the edge with no tile beside it;"
        yield "your avatar begins on a port of it that looks at another square, not off the board"
    else:
        (x, y), board = view.square, view.position
        entry = PORTS[grid(board.width, board.height).across[board.avatars[view.seat]] & 7]
        yield f"your tile goes on ({x}, {y}), and your path enters it at {entry}"
        options = {option.tile: option for option in view.options()}
    legal = rules.legal_options(list(options.values()))
    yield f"tile  degrees      paths        {'what it does' if options else ''}".rstrip()
    for kind in dict.fromkeys(view.hand):
        for first, turns in _different(kind).items():
            degrees = ", ".join(map(str, turns)) if len(turns) < len(TURNS) else "any"
            option = options.get(first)
            does = "" if option is None else ("" if option in legal else "not allowed: ") + _effect(view, option)
            yield f"{kind:>4}  {degrees:<11}  {paths(first)}  {does}".rstrip()


def paths(tile: Tile) -> str:
    """The pairs of ports that a tile joins: `AE BF CH DG`."""
    return " ".join(PORTS[one] + PORTS[other] for one, other in pairs(tile))


def _different(kind: int) -> dict[Tile, list[int]]:
    """A tile turned each way that looks different, with all the degrees that look like it."""
    found: dict[Tile, list[int]] = {}
    for degrees in TURNS:
        found.setdefault(least_turned(Tile(kind, degrees)), []).append(degrees)
    return found


def _effect(view: View, option: Option) -> str:
    """What becomes of you, and of the others whom the tile moves off the board."""
    me = option.seat
    if option.loopers:
        return f"{_who(option.loopers, me)} would go round a loop for ever"
    after = view.position.after(option)
    avatar, ahead = after.avatar(me), after.looks_at(me)
    if avatar is None or ahead is None:
        told = "you leave the board"
    else:
        told = f"you go to ({avatar.square.x}, {avatar.square.y}) {avatar.port}, and look at ({ahead.x}, {ahead.y})"
    gone = [seat for seat in view.position.alive if seat != me and after.avatars[seat] == OFF]
    if gone:
        told += f"; {_who(gone, me)} off the board"
    if option.collides:
        told += "; two avatars meet on one port"
    return told


def _who(seats: Iterable[int], me: int) -> str:
    return " and ".join("you" if seat == me else rules.COLORS[seat] for seat in seats)
