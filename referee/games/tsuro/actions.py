"""What a player answers: its first placement, then one tile a turn, typed or as plain lists."""

from __future__ import annotations

import operator
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from referee.games.game import Illegal
from referee.games.tsuro.board import Square
from referee.games.tsuro.tiles import CODES, COUNT, PORTS, Tile


class Placement(NamedTuple):
    """A first tile on an edge square, with the avatar on one of its ports."""

    tile: Tile
    square: Square
    port: str


Pair = tuple[int, int]
_LONGEST_PORT = 8  # characters of one that is wrong, to be named in the refusal
REPLIES: dict[str, Any] = {
    "initial_placement": Annotated[
        tuple[Pair, Pair, Annotated[str, Meta(max_length=_LONGEST_PORT)]],
        Meta(description="a tile, a square and a port, [[index, degrees], [x, y], port]"),
    ],
    "move": Annotated[Pair, Meta(description="a tile, [index, degrees]")],
}


def read_move(answer: Any) -> Tile:
    """The tile an answer means; raises Illegal for everything else."""
    return _tile(_sequence(answer, 2), "a move is [index, degrees]")


def read_placement(answer: Any) -> Placement:
    """The placement an answer means; raises Illegal for everything else."""
    form = "a first placement is [[index, degrees], [x, y], port]"
    parts = _sequence(answer, 3)
    if parts is None:
        raise Illegal(form)
    square = _sequence(parts[1], 2)
    if square is None or any(type(number) is not int for number in square):
        raise Illegal(f"{form}: x and y must be integers")
    # `in` would ask the answer's own `__eq__`, hence the look at its type first.
    port = parts[2]
    if type(port) is not str or port not in PORTS:
        came = f", not {port!a}" if type(port) is str and len(port) <= _LONGEST_PORT else ""
        raise Illegal(f"{form}: the port must be a letter from A to H{came}")
    return Placement(_tile(_sequence(parts[0], 2), form), Square(*square), port)


def shown(numbers: tuple[int, ...]) -> str:
    """Two numbers that somebody chose, if they can be shown: Python refuses to write very long ones."""
    return f"({', '.join(map(str, numbers))})" if all(abs(number) < 10**6 for number in numbers) else "that"


def plain(method: str, answer: Any) -> Any:
    """An answer as plain lists and numbers; what is no answer goes through, to be refused outside."""
    return _plain(answer, 2) if method in REPLIES else answer


def _plain(value: Any, depth: int) -> Any:
    for base in (list, tuple):
        if depth and issubclass(type(value), base):
            # No answer is longer than three; the fourth part is enough to be refused for.
            return [_plain(part, depth - 1) for part in base.__getitem__(value, slice(4))]
    if type(value) in (bool, int, str):
        return value
    try:
        return operator.index(value)  # the integers of other packages
    except Exception:  # whatever a stranger's class does, it is not an integer
        return value


def _sequence(value: Any, length: int) -> tuple[Any, ...] | None:
    # Of a subclass only what the base type stores is read: no method of a stranger's class runs here.
    if issubclass(type(value), list):
        value = list.__getitem__(value, slice(None))
    elif issubclass(type(value), tuple):
        value = tuple.__getitem__(value, slice(None))
    else:
        return None
    return tuple(value) if len(value) == length else None


def _tile(pair: tuple[Any, ...] | None, form: str) -> Tile:
    wanted = f"{form}: an index from 0 to {COUNT - 1}, and 0, 90, 180 or 270 degrees"
    if pair is None or any(type(number) is not int for number in pair):
        raise Illegal(wanted)
    if pair not in CODES:
        raise Illegal(f"{wanted}, not {shown(pair)}")
    return Tile(*pair)
