"""A game as an SVG picture: tiles with their paths, the way each avatar has come, and who is who.

Its keys and classes are explained in `referee.games.game`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from referee.games.label import label
from referee.games.tsuro import captions
from referee.games.tsuro.board import EMPTY, OFF, grid
from referee.games.tsuro.rules import COLORS
from referee.games.tsuro.tiles import EXITS, PORTS, TILES, Tile, pairs

if TYPE_CHECKING:
    from referee.games.tsuro.state import State

SIDE = 60  # of a square
MARGIN = 40  # room for the coordinates, and for those who left the board
PANEL = 300
ROW = 54  # of the panel

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart.
INK = {"white": "#ffffff", "black": "#000000", "red": "#d55e00", "green": "#009e73", "blue": "#0072b2"}
PAPER, TABLE, LINES, TILE, SEAM, PATH, TEXT = (
    "#faf7f0", "#f1ebdf", "#d8cdb8", "#e0d3b8", "#c6b58f", "#9a8864", "#2b2620",
)  # fmt: skip

# Each port's place on a square of side 3, and which way is inward from there.
_PLACES = ((1, 0), (2, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (0, 1))
_INWARD = ((0, 1), (0, 1), (-1, 0), (-1, 0), (0, -1), (0, -1), (1, 0), (1, 0))


def svg(state: State, *, hands: bool = False) -> str:
    """The whole picture; with `hands` also the tiles that the player to move chooses from."""
    board = state.position
    rows = len(state.players) * ROW + 90 + (120 if hands and state.hand else 0)
    width = MARGIN + board.width * SIDE + MARGIN + PANEL
    height = max(MARGIN * 2 + board.height * SIDE, MARGIN + rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" data-board="0 0 {MARGIN * 2 + board.width * SIDE - 16} '
        f'{MARGIN * 2 + board.height * SIDE - 16}" role="img" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" fill="{TEXT}">',
        f"<title>Tsuro, {captions.headline(state)}</title>",
        f'<rect class="ground" width="{width}" height="{height}" fill="{PAPER}"/>',
        *_squares(state),
        *_ways(state),
        *_avatars(state),
        '<g class="legend">',
        *_panel(state, MARGIN * 2 + board.width * SIDE, hands),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


def _squares(state: State) -> Iterator[str]:
    board = state.position
    across, down = board.width * SIDE, board.height * SIDE
    yield f'<g class="note" font-size="13" text-anchor="middle" fill="{PATH}">'
    for x in range(board.width):
        yield f'<text x="{MARGIN + x * SIDE + SIDE // 2}" y="16">{x}</text>'
    for y in range(board.height):
        yield f'<text x="12" y="{MARGIN + y * SIDE + SIDE // 2 + 5}">{y}</text>'
    yield "</g>"
    yield f'<rect class="void" x="{MARGIN}" y="{MARGIN}" width="{across}" height="{down}" fill="{TABLE}"/>'
    lines = [f"M{MARGIN + x * SIDE} {MARGIN}v{down}" for x in range(board.width + 1)]
    lines += [f"M{MARGIN} {MARGIN + y * SIDE}h{across}" for y in range(board.height + 1)]
    yield f'<path class="void" d="{"".join(lines)}" stroke="{LINES}" fill="none"/>'
    for square, code in enumerate(board.tiles):
        if code != EMPTY:
            yield _tile(TILES[code], *_corner(state, square), f' data-key="tile {square}"')


@lru_cache(maxsize=4096)  # a replay draws the same tiles after every turn
def _tile(tile: Tile, left: float, top: float, key: str = "") -> str:
    # Each path has an edge in the tile's colour, so that crossings look like crossings.
    curves = "".join(
        f'<path d="{_curve(one, other, left, top)}" stroke="{color}" stroke-width="{thick}"/>'
        for one, other in pairs(tile)
        for color, thick in ((TILE, 8), (PATH, 4))
    )
    box = (
        f'<rect x="{left + 0.5}" y="{top + 0.5}" width="{SIDE - 1}" height="{SIDE - 1}" rx="3" fill="{TILE}" '
        f'stroke="{SEAM}"/>'
    )
    return f'<g{key} fill="none"><title>tile {tile.kind}, {tile.degrees} degrees</title>{box}{curves}</g>'


def _ways(state: State) -> Iterator[str]:
    """The way each avatar has come: from a dot where it began, and to where it left the board."""
    for seat, start in captions.starts(state).items():
        (x, y), port = start.action.square, PORTS.index(start.action.port)
        spot = (y * state.position.width + x) * 8 + port
        steps = list(_walk(state, spot))
        # A line a square: the next picture has one more of them, not all of it anew.
        way = [f'<path d="{_curve(one, other, *_corner(state, square))}"/>' for square, one, other in steps]
        color = INK[COLORS[seat]]
        edge = "#000000" if color == "#ffffff" else TILE
        for ink, thick in (edge, 9), (color, 6):
            yield f'<g stroke="{ink}" stroke-width="{thick}" stroke-linecap="round" fill="none">'
            yield from way
            yield "</g>"
        left, top = _at(state, spot, 0)
        yield f'<circle cx="{left:g}" cy="{top:g}" r="5" fill="{color}" stroke="#000000" stroke-width="1.5"/>'
        if state.fell[seat] is not None and steps:
            square, _, leaves = steps[-1]
            pawn = _pawn(seat, *_at(state, square * 8 + leaves, -13), 8)
            yield f'<g data-key="fallen {COLORS[seat]}" opacity="0.55">{pawn}</g>'


def _walk(state: State, spot: int) -> Iterator[tuple[int, int, int]]:
    """The squares a path leads over from a spot, each with the ports it goes in and out by."""
    across = grid(state.position.width, state.position.height).across
    start = spot
    while (entry := across[spot]) != OFF and (code := state.position.tiles[entry >> 3]) != EMPTY:
        leaves = EXITS[code][entry & 7]
        yield entry >> 3, entry & 7, leaves
        spot = (entry >> 3) * 8 + leaves
        if spot == start:
            return


def _avatars(state: State) -> Iterator[str]:
    ahead = state.position.looks_at(state.seat) if state.stage == "moving" else None
    if ahead is not None:
        yield (
            f'<rect class="note" x="{MARGIN + ahead.x * SIDE + 3}" y="{MARGIN + ahead.y * SIDE + 3}" '
            f'width="{SIDE - 6}" height="{SIDE - 6}" rx="5" fill="none" stroke="{TEXT}" stroke-width="2.5" '
            'stroke-dasharray="6 5"><title>the next tile goes here</title></rect>'
        )
    crowd: dict[int, int] = {}
    for seat, spot in enumerate(state.position.avatars):
        if spot != OFF:
            # Avatars that share a port stand behind one another.
            behind = crowd[spot] = crowd.get(spot, -1) + 1
            yield _pawn(seat, *_at(state, spot, 5 + 16 * behind), key=f' data-key="{COLORS[seat]}"')


def _pawn(seat: int, left: float, top: float, radius: int = 10, key: str = "") -> str:
    color = COLORS[seat]
    contrast = "#000000" if color == "white" else "#ffffff"
    return (
        f'<g{key}><title>{color}</title><circle cx="{left:g}" cy="{top:g}" r="{radius}" fill="{INK[color]}" '
        f'stroke="{contrast}" stroke-width="1.5"/><text x="{left:g}" y="{top + radius * 0.42:g}" '
        f'font-size="{radius * 1.2:g}" font-weight="bold" text-anchor="middle" fill="{contrast}">'
        f"{captions.LETTERS[seat]}</text></g>"
    )


def _panel(state: State, left: int, hands: bool) -> Iterator[str]:
    yield f'<text x="{left}" y="{MARGIN + 18}" font-size="20" font-weight="bold">Tsuro</text>'
    yield f'<text x="{left + 70}" y="{MARGIN + 18}" font-size="14">{captions.headline(state)}</text>'
    for seat, player in enumerate(state.players):
        top = MARGIN + 42 + seat * ROW
        asked = player == state.to_move
        gone = player in state.kicked or state.fell[seat] is not None
        if asked:
            yield (
                f'<rect x="{left - 8}" y="{top}" width="{PANEL - 20}" height="{ROW - 6}" rx="6" '
                f'fill="{TABLE}" stroke="{TEXT}" stroke-width="1.5" stroke-dasharray="6 5"/>'
            )
        name = escape(label(player))
        yield (
            f'<g opacity="{0.6 if gone else 1}">{_pawn(seat, left + 14, top + 24, 13)}'
            # A picture in the picture cuts off a name of wide letters where the panel ends.
            f'<svg x="{left + 38}" y="{top}" width="{PANEL - 70}" height="26"><text y="20" font-size="15" '
            f'font-weight="bold">{name}</text></svg>'
            f'<text x="{left + 38}" y="{top + 38}" font-size="12.5">{COLORS[seat]}: '
            f"{captions.standing(state, seat)}</text></g>"
        )
    if hands and state.hand:
        top = MARGIN + 42 + len(state.players) * ROW + 22
        yield f'<text x="{left}" y="{top}" font-size="13">to choose from</text>'
        for number, kind in enumerate(state.hand):
            x = left + number * (SIDE + 18)
            yield _tile(Tile(kind, 0), x, top + 10)
            yield f'<text x="{x + 30}" y="{top + 86}" font-size="13" text-anchor="middle">{kind}</text>'


def _corner(state: State, square: int) -> tuple[float, float]:
    return MARGIN + square % state.position.width * SIDE, MARGIN + square // state.position.width * SIDE


def _at(state: State, spot: int, inward: float) -> tuple[float, float]:
    """The point of a port, moved so far into its square."""
    (left, top), port = _corner(state, spot >> 3), spot & 7
    (x, y), (right, down) = _PLACES[port], _INWARD[port]
    return left + x * SIDE / 3 + right * inward, top + y * SIDE / 3 + down * inward


def _curve(one: int, other: int, left: float, top: float) -> str:
    """A path between two ports that leaves each at a right angle; its corners are nearly quarter circles."""
    (x, y), (to_x, to_y) = _PLACES[one], _PLACES[other]
    bend = max(0.25, 0.55 * max(abs(to_x - x), abs(to_y - y)) / 3)
    points = []
    for port, pull in ((one, 0.0), (one, bend), (other, bend), (other, 0.0)):
        (x, y), (right, down) = _PLACES[port], _INWARD[port]
        points.append(f"{left + (x / 3 + right * pull) * SIDE:g} {top + (y / 3 + down * pull) * SIDE:g}")
    return f"M{points[0]}C{points[1]} {points[2]} {points[3]}"
