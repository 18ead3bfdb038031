"""Standings as people read them: aligned lines on a terminal, rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from referee.cells import cell
from referee.tournament.standings import Standing
from sandbox import clean

_LONGEST = 40  # characters of a name in a line


def lines(standings: Sequence[Standing]) -> list[str]:
    """A heading, and a line for each player."""
    rows = [("", "player", "points", "wins", "draws", "losses", "rating", "95 %", "ms/move", "kicks")]
    for number, row in enumerate(standings, 1):
        rows.append(
            (
                str(number),
                clean(row.player, _LONGEST),
                f"{row.points:.2f}",
                str(row.wins),
                str(row.draws),
                str(row.losses),
                f"{row.rating:+.0f}",
                f"{row.rating_low:+.0f} to {row.rating_high:+.0f}",
                f"{row.cpu_per_move_ms:.2f}",
                _kicks(row.kicks) or "-",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, widths) for row in rows]


def csv_rows(standings: Sequence[Standing]) -> list[list[str]]:
    """The fields' names, and a row for each player, for `csv.writer`. A name is data: none is run as a formula."""
    heading = list(Standing.__struct_fields__)
    return [heading, *([_cell(field) for field in msgspec.structs.astuple(row)] for row in standings)]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    texts = {1, len(row) - 1}  # the player and the kicks; all else is a number
    columns = enumerate(zip(row, widths, strict=True))
    return "  ".join(cell.ljust(width) if i in texts else cell.rjust(width) for i, (cell, width) in columns).rstrip()


def _cell(field: object) -> str:
    return _kicks(field) if isinstance(field, dict) else cell(field)


def _kicks(kicks: Mapping[str, int]) -> str:
    return ", ".join(f"{verdict} {count}" for verdict, count in kicks.items())
