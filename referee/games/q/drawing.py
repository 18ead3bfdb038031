"""A game of Q as an SVG picture: the map with every tile's shape and colour, and who has what.

Whatever colour says is also said by a letter, and nothing outside the picture is needed to show it.
Its keys and classes are explained in `referee.games.game`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING

from referee.games.label import label
from referee.games.q.map import Place
from referee.games.q.terminal import LETTERS, headline, standing
from referee.games.q.tiles import Tile

if TYPE_CHECKING:
    from referee.games.q.state import State

CELL = 44
MARGIN = 44  # room for the coordinates
PANEL = 310
ROW = 56  # of the panel
SMALLEST = 9  # rows and columns are drawn at least, so that a young map is not all margin

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart; and the ink that shows on it.
PAINT = {
    "red": ("#d55e00", "#ffffff"),
    "green": ("#009e73", "#ffffff"),
    "blue": ("#0072b2", "#ffffff"),
    "yellow": ("#f0e442", "#000000"),
    "orange": ("#e69f00", "#000000"),
    "purple": ("#cc79a7", "#000000"),
}
PAPER, TABLE, GRID, TILE, EDGE, TEXT, FAINT = (
    "#f7f5f1", "#ebe7df", "#dcd6ca", "#2b2f36", "#14161a", "#22252b", "#7d786d",
)  # fmt: skip
NEW = "#ffffff"


def svg(state: State, *, hands: bool = False) -> str:
    """The whole picture; with `hands` also what everybody holds."""
    top, bottom = _span([row for row, _ in state.map.tiles])
    left, right = _span([column for _, column in state.map.tiles])
    # The place (0, 0) stays where it is while the map grows around it: so do all tiles, from picture to picture.
    start, over = left * CELL, top * CELL
    across, down = (right - left + 1) * CELL, (bottom - top + 1) * CELL
    row_height = ROW + (34 if hands else 0)
    width = MARGIN + across + MARGIN + PANEL
    height = max(MARGIN + down + MARGIN // 2, MARGIN + 56 + row_height * len(state.players))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="{start - MARGIN} {over - MARGIN} {width} {height}" '
            f'data-board="{start - MARGIN} {over - MARGIN} {MARGIN + across + 8} {MARGIN + down + 8}" '
            f'role="img" font-family="DejaVu Sans, Verdana, sans-serif" fill="{TEXT}">',
            f"<title>{headline(state)}</title>",
            f'<rect class="ground" x="{start - MARGIN}" y="{over - MARGIN}" width="{width}" height="{height}" '
            f'fill="{PAPER}"/>',
            f'<defs><pattern id="grid" width="{CELL}" height="{CELL}" patternUnits="userSpaceOnUse">'
            f'<path d="M{CELL} 0H0V{CELL}" fill="none" stroke="{GRID}"/></pattern></defs>',
            f'<g class="void"><rect x="{start}" y="{over}" width="{across}" height="{down}" fill="{TABLE}"/>',
            f'<rect x="{start}" y="{over}" width="{across}" height="{down}" fill="url(#grid)"/></g>',
            *_coordinates(state, start, over),
            *_map(state),
            f'<g class="legend" transform="translate({start - MARGIN} {over - MARGIN})">',
            *_panel(state, MARGIN * 2 + across, row_height, hands),
            "</g>",
            "</svg>",
        ]
    )


def _span(numbers: list[int]) -> tuple[int, int]:
    """The first and last row or column to draw: one around the tiles, and more around a small map."""
    first, last = min(numbers) - 1, max(numbers) + 1
    missing = max(0, SMALLEST - (last - first + 1))
    return first - missing // 2, last + (missing + 1) // 2


def _coordinates(state: State, start: int, over: int) -> Iterator[str]:
    # Only of lines with a tile: a map may be scattered over millions of them.
    yield f'<g class="note" font-size="12" fill="{FAINT}">'
    for column in sorted({column for _, column in state.map.tiles}):
        yield f'<text x="{column * CELL + CELL // 2}" y="{over - 9}" text-anchor="middle">{column}</text>'
    for row in sorted({row for row, _ in state.map.tiles}):
        yield f'<text x="{start - 8}" y="{row * CELL + CELL // 2 + 4}" text-anchor="end">{row}</text>'
    yield "</g>"


def _map(state: State) -> Iterator[str]:
    new = _newest(state)
    for place, tile in state.map.tiles.items():
        yield _laid(tile, place, place in new)


@lru_cache(maxsize=4096)  # a replay draws the same tiles after every turn
def _laid(tile: Tile, place: Place, new: bool) -> str:
    row, column = place
    shown = tile_svg(tile, column * CELL, row * CELL, CELL, new)
    return f'<g data-key="{row},{column}"><title>{tile} at {place}</title>{shown}</g>'


def _newest(state: State) -> set[Place]:
    """Where the last placement put its tiles."""
    for entry in reversed(state.history):
        if not isinstance(entry.action, str):
            return {place for place, _ in entry.action}
    return set()


def tile_svg(tile: Tile, x: float, y: float, side: float, new: bool = False) -> str:
    paint, ink = PAINT[tile.color]
    middle_x, middle_y = x + side / 2, y + side / 2
    box = _box(x, y, side, 1.5, f'fill="{TILE}" stroke="{EDGE}"')
    # The tiles of the last placement have a white line around their shape.
    ring = _box(x, y, side, 0.085 * side, f'fill="none" stroke="{NEW}" stroke-width="2.5"') if new else ""
    return (
        f"{box}{ring}"
        f'<g fill="{paint}">{_shape(tile, middle_x, middle_y, side * 0.4)}</g>'
        f'<text x="{middle_x:g}" y="{middle_y + side * 0.105:g}" font-size="{side * 0.29:.3g}" font-weight="bold" '
        f'text-anchor="middle" fill="{ink}">{LETTERS[tile.color]}</text>'
    )


def _box(x: float, y: float, side: float, inset: float, style: str) -> str:
    width = side - 2 * inset
    return (
        f'<rect x="{x + inset:g}" y="{y + inset:g}" width="{width:.4g}" height="{width:.4g}" '
        f'rx="{side / 8:.3g}" {style}/>'
    )


def _shape(tile: Tile, x: float, y: float, radius: float) -> str:
    match tile.shape:
        case "star":
            return _points(x, y, radius * 1.08, radius * 0.47, 4)
        case "8star":
            return _points(x, y, radius * 1.05, radius * 0.66, 8)
        case "square":
            side = radius * 1.6
            return f'<rect x="{x - side / 2:.4g}" y="{y - side / 2:.4g}" width="{side:.4g}" height="{side:.4g}"/>'
        case "circle":
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.93:.4g}"/>'
        case "diamond":
            return _points(x, y, radius * 1.1, radius * 0.778, 4)
    leaf, out = radius * 0.47, radius * 0.55
    leaves = ((0, -out), (out, 0), (0, out), (-out, 0))
    circles = "".join(f'<circle cx="{x + dx:.4g}" cy="{y + dy:.4g}" r="{leaf:.4g}"/>' for dx, dy in leaves)
    return circles + f'<circle cx="{x:g}" cy="{y:g}" r="{leaf:.4g}"/>'


def _points(x: float, y: float, outer: float, inner: float, count: int) -> str:
    """A star with so many points, the first of them up."""
    corners = []
    for step in range(2 * count):
        radius, angle = (inner if step % 2 else outer), pi * step / count
        corners.append(f"{x + radius * sin(angle):.1f},{y - radius * cos(angle):.1f}")
    return f'<polygon points="{" ".join(corners)}"/>'


def _panel(state: State, left: int, row_height: int, hands: bool) -> Iterator[str]:
    yield f'<text x="{left}" y="{MARGIN + 14}" font-size="17" font-weight="bold">Q</text>'
    yield f'<text x="{left + 26}" y="{MARGIN + 14}" font-size="13">{headline(state).removeprefix("Q, ")}</text>'
    for seat, player in enumerate(state.players):
        top = MARGIN + 34 + seat * row_height
        if player == state.to_move:
            yield (
                f'<rect x="{left - 10}" y="{top}" width="{PANEL - 14}" height="{row_height - 6}" rx="7" '
                f'fill="#ffffff" stroke="{TEXT}" stroke-width="1.5"/>'
            )
        faded = ' opacity="0.55"' if player in state.kicked else ""
        yield (
            # A picture in the picture cuts off a name of wide letters where the panel ends.
            f'<g{faded}><svg x="{left}" y="{top}" width="{PANEL - 40}" height="26"><text y="21" font-size="15" '
            f'font-weight="bold">{escape(label(player))}</text></svg>'
            f'<text x="{left}" y="{top + 40}" font-size="12.5">{standing(state, seat)}</text></g>'
        )
        if hands:
            yield from _hand(state.hands[seat], left, top + 47)


def _hand(hand: tuple[Tile, ...], left: int, top: int) -> Iterator[str]:
    side = min(32, (PANEL - 30) // max(1, len(hand)))
    for number, tile in enumerate(hand):
        yield f"<g><title>{tile}</title>{tile_svg(tile, left + number * side, top, side)}</g>"
