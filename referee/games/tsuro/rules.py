"""What is legal, and a sentence about what is not."""

from __future__ import annotations

from typing import Any

from referee.games.game import Illegal
from referee.games.tsuro.actions import Placement, read_move, read_placement, shown
from referee.games.tsuro.board import EMPTY, OFF, Option, Position, Square, grid
from referee.games.tsuro.tiles import PORTS, TURNS, Tile

COLORS = ("white", "black", "red", "green", "blue")  # of the avatars, in seat order


def free_squares(position: Position) -> list[Square]:
    """Where a first tile may go, clockwise from (1, 0) round to (0, 0)."""
    around = grid(position.width, position.height)
    tiles = position.tiles
    return [
        Square(square % position.width, square // position.width)
        for square in around.rim
        if tiles[square] == EMPTY and all(tiles[other] == EMPTY for other in around.neighbours[square])
    ]


def inward_ports(position: Position, square: tuple[int, int]) -> list[str]:
    """The ports of (x, y) that look at a square of the board, A to H."""
    x, y = square
    return [PORTS[port] for port in grid(position.width, position.height).inward[y * position.width + x]]


def legal_placements(position: Position, hand: tuple[int, ...]) -> list[Placement]:
    spots = [(square, port) for square in free_squares(position) for port in inward_ports(position, square)]
    turned = [Tile(kind, degrees) for kind in dict.fromkeys(hand) for degrees in TURNS]
    return [Placement(tile, square, port) for tile in turned for square, port in spots]


def legal_options(options: list[Option]) -> list[Option]:
    """Those of a player's options that may be played.

    A loop only if all of them loop, a suicide only if all are suicides; so some mixtures of the two leave
    nothing legal at all.
    """
    loops_allowed = all(option.loopers for option in options)
    suicides_allowed = all(option.suicide for option in options)
    return [
        option for option in options if (loops_allowed if option.loopers else suicides_allowed or not option.suicide)
    ]


def judge_placement(position: Position, hand: tuple[int, ...], answer: Any) -> Placement:
    """The placement that was answered; raises Illegal."""
    placement = read_placement(answer)
    _held(placement.tile, hand)
    (x, y), port = placement.square, placement.port
    if not (0 <= x < position.width and 0 <= y < position.height):
        raise Illegal(
            f"{shown((x, y))} is not on the board: x goes from 0 to {position.width - 1}, y from 0 to "
            f"{position.height - 1}"
        )
    around = grid(position.width, position.height)
    square = y * position.width + x
    if square not in around.rim:
        raise Illegal(f"({x}, {y}) is not at the edge of the board")
    if position.tiles[square] != EMPTY:
        raise Illegal(f"({x}, {y}) already holds a tile")
    for other in around.neighbours[square]:
        if position.tiles[other] != EMPTY:
            raise Illegal(f"({x}, {y}) is next to the tile on ({other % position.width}, {other // position.width})")
    if around.across[square * 8 + PORTS.index(port)] == OFF:
        inward = ", ".join(inward_ports(position, placement.square))
        raise Illegal(f"port {port} of ({x}, {y}) looks off the board; these look inward: {inward}")
    return placement


def judge_move(position: Position, seat: int, hand: tuple[int, ...], answer: Any) -> Option:
    """The option that was answered; raises Illegal."""
    tile = read_move(answer)
    _held(tile, hand)
    options = position.options(seat, hand)
    option = next(option for option in options if option.tile == tile)
    legal = legal_options(options)
    if option in legal:
        return option
    if option.loopers:
        who = " and ".join("you" if looper == seat else COLORS[looper] for looper in option.loopers)
        what = f"that tile sends {who} round a loop"
        others = [other for other in options if not other.loopers]
    else:
        what = "that tile sends you off the board"
        others = [other for other in options if not other.suicide]
    better = next((other for other in others if other in legal), others[0]).tile
    nothing = "" if legal else "; here none of your options is legal"
    raise Illegal(f"{what} while ({better.kind}, {better.degrees}) would not{nothing}")


def _held(tile: Tile, hand: tuple[int, ...]) -> None:
    if not hand:
        raise Illegal("you have not been given any tiles yet")
    if tile.kind not in hand:
        *most, last = hand
        raise Illegal(f"you were given tiles {', '.join(map(str, most))} and {last}, not {tile.kind}")
