"""A game of Fish as an SVG picture: ice with its fish, penguins in their colors, and who is who.

Whatever color says is also said in letters, and nothing outside the picture is needed to show it.
Its keys and classes are explained in `referee.games.game`.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import sqrt

from referee.games.fish.terminal import MARKS, headline, summary
from referee.games.fish.views import Public
from referee.games.label import label

SIDE = 42.0  # of a hexagon
PITCH = 3 * SIDE  # from one hexagon to the next in its row
RISE = SIDE * sqrt(3) / 2  # from one row to the next
MARGIN = 20.0
HEAD = 50.0
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 236.0, 60.0, 12.0

WATER, DEEP, ICE, RIM, INK, FAINT = "#d3e6f1", "#b9d5e6", "#f8fcfe", "#7aa6c2", "#1d2b36", "#5d7789"
FISH, TRAIL = "#0072b2", "#cc79a7"
# Okabe and Ito's palette has no brown; this one is told from their red by its lightness.
COATS = {"red": "#d55e00", "white": "#ffffff", "brown": "#6b4423", "black": "#000000"}

# For each number of fish, where they swim, in steps from the middle.
SHOALS = (
    (),
    ((0, 0),),
    ((-0.5, 0), (0.5, 0)),
    ((0, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    ((-0.5, -1), (0.5, -1), (0, 0), (-0.5, 1), (0.5, 1)),
)
STEP_X, STEP_Y = 28.0, 12.5


def svg(public: Public) -> str:
    rows, columns = len(public.board), len(public.board[0])
    board_width = (columns - 1) * PITCH + 2 * SIDE + (PITCH / 2 if rows > 1 else 0)
    in_a_row = max(2, min(len(public.players), int((board_width + CARD_GAP) // (CARD_WIDTH + CARD_GAP))))
    cards_width = in_a_row * (CARD_WIDTH + CARD_GAP) - CARD_GAP
    width = 2 * MARGIN + max(board_width, cards_width)
    board_top = MARGIN + HEAD
    cards_top = board_top + (rows + 1) * RISE + MARGIN
    card_rows = -(-len(public.players) // in_a_row)
    height = cards_top + card_rows * (CARD_HEIGHT + CARD_GAP) - CARD_GAP + MARGIN
    left = (width - board_width) / 2 + SIDE
    cards_left = (width - cards_width) / 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img" fill="{INK}" '
            f'data-board="{left - SIDE - MARGIN / 2:.0f} {board_top - MARGIN / 2:.0f} '
            f'{board_width + MARGIN:.0f} {(rows + 1) * RISE + MARGIN:.0f}" '
            'font-family="DejaVu Sans, Verdana, sans-serif" text-anchor="middle">',
            f"<title>{headline(public)}</title>",
            f'<rect class="ground" width="{width:.0f}" height="{height:.0f}" fill="{WATER}"/>',
            f'<text class="legend" x="{width / 2:.1f}" y="{MARGIN + 22:.1f}" font-size="19" font-weight="bold">'
            f"{headline(public)}</text>",
            f'<g transform="translate({left:.1f} {board_top + RISE:.1f})">',
            *_ice(public),
            *_last_move(public),
            *_penguins(public),
            "</g>",
            *_cards(public, cards_left, cards_top, in_a_row),
            "</svg>",
        ]
    )


def _middle(row: int, col: int) -> tuple[float, float]:
    return col * PITCH + (PITCH / 2 if row % 2 else 0), row * RISE


def _ice(public: Public) -> Iterator[str]:
    taken = {tile for player in public.players for tile in player.penguins}
    for row, counts in enumerate(public.board):
        for col, count in enumerate(counts):
            x, y = _middle(row, col)
            half = SIDE / 2
            corners = ((SIDE, 0), (half, RISE), (-half, RISE), (-SIDE, 0), (-half, -RISE), (half, -RISE))
            points = " ".join(f"{x + 0.95 * dx:.1f},{y + 0.95 * dy:.1f}" for dx, dy in corners)
            ice, hole = f'fill="{ICE}" stroke="{RIM}" stroke-width="2"', f'class="void" fill="{DEEP}" opacity="0.6"'
            shown = f'<polygon points="{points}" {ice if count else hole}/>'
            note = "" if count else ' class="note"'
            shown += f'<text{note} x="{x:.1f}" y="{y - 23:.1f}" font-size="9" fill="{FAINT}">{row},{col}</text>'
            if (row, col) in taken:
                shown += f'<text x="{x + 26:.1f}" y="{y + 9:.1f}" font-size="13" fill="{FISH}">{count}</text>'
            elif count:
                shown += "".join(_fish(x + dx * STEP_X, y - 1 + dy * STEP_Y) for dx, dy in SHOALS[count])
                shown += f'<text x="{x:.1f}" y="{y + 29:.1f}" font-size="11" fill="{FISH}">{count}</text>'
            yield f'<g data-key="tile {row},{col}">{shown}</g>'


def _fish(x: float, y: float) -> str:
    return (
        f'<path transform="translate({x:.1f} {y:.1f})" fill="{FISH}" '
        'd="M-10 0Q-3 -8 5 -1L10 -5V5L5 1Q-3 8 -10 0ZM-5.4 -1.6a1.1 1.1 0 1 0 .1 0Z" fill-rule="evenodd"/>'
    )


def _last_move(public: Public) -> Iterator[str]:
    """The way of the penguin that moved last."""
    moves = [event.tiles for event in public.history if event.tiles]
    if moves and len(moves[-1]) == 2:
        (x1, y1), (x2, y2) = (_middle(*tile) for tile in moves[-1])
        yield (
            f'<path data-key="way" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{TRAIL}" stroke-width="6" '
            'stroke-linecap="round" stroke-dasharray="1 11" fill="none" opacity="0.8"/>'
        )
        yield f'<circle data-key="from" cx="{x1:.1f}" cy="{y1:.1f}" r="7" fill="{TRAIL}"/>'


def _penguins(public: Public) -> Iterator[str]:
    for player in public.players:
        for number, tile in enumerate(player.penguins):
            x, y = _middle(*tile)
            yield _penguin(x, y + 7, player.color, 0.9, f' data-key="{player.color} {number}"')


def _penguin(x: float, y: float, color: str, scale: float = 1, key: str = "") -> str:
    """A penguin with its color's mark on the belly."""
    coat, rim = COATS[color], INK if color == "white" else "#ffffff"
    return (
        f'<g{key} transform="translate({x:.1f} {y:.1f}) scale({scale})">'
        '<path d="M-8 21h-7q2 -5 8 -4zM8 21h7q-2 -5 -8 -4z" fill="#e69f00"/>'
        f'<path d="M0 -23C9 -23 10 -14 11 -8C17 -3 20 4 19 10L14 7C14 15 11 20 0 20S-14 15 -14 7L-19 10'
        f'C-20 4 -17 -3 -11 -8C-10 -14 -9 -23 0 -23Z" fill="{coat}" stroke="{rim}" stroke-width="1.6"/>'
        '<ellipse cx="0" cy="6" rx="9.6" ry="11" fill="#ffffff"/>'
        f'<circle cx="-3.4" cy="-14" r="1.9" fill="#ffffff" stroke="{INK}" stroke-width="0.8"/>'
        f'<circle cx="3.4" cy="-14" r="1.9" fill="#ffffff" stroke="{INK}" stroke-width="0.8"/>'
        '<path d="M-3 -11h6L0 -6z" fill="#e69f00"/>'
        f'<text y="10.5" font-size="12" font-weight="bold" fill="{INK}">{MARKS[color]}</text></g>'
    )


def _cards(public: Public, left: float, top: float, in_a_row: int) -> Iterator[str]:
    """A card for each player; nested pictures, so that a long name cannot run out of its own."""
    for seat, player in enumerate(public.players):
        x = left + seat % in_a_row * (CARD_WIDTH + CARD_GAP)
        y = top + seat // in_a_row * (CARD_HEIGHT + CARD_GAP)
        edge, weight = (FISH, 4) if player.name == public.mover else (RIM, 1.5)
        yield (
            f'<svg class="legend" x="{x:.1f}" y="{y:.1f}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" '
            f'text-anchor="start" opacity="{0.5 if player.kicked else 1}">'
            f'<rect x="2" y="2" width="{CARD_WIDTH - 4}" height="{CARD_HEIGHT - 4}" rx="9" fill="{ICE}" '
            f'stroke="{edge}" stroke-width="{weight}"/>'
            f'<g text-anchor="middle">{_penguin(28, 31, player.color)}</g>'
            f'<text x="56" y="26" font-size="15" font-weight="bold">{escape(label(player.name, 16))}</text>'
            f'<text x="56" y="45" font-size="12">{summary(player, public)}</text></svg>'
        )
