"""Tables for spreadsheets, of text that strangers wrote: no cell is taken for something to compute."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

# What makes a spreadsheet compute; the wide ones do where people type them.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def cell(value: object) -> str:
    """As it stands in the table; a number stays one."""
    text = str(value)
    inert = not isinstance(value, str) or not (text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA))
    return text if inert else f"'{text}"


def table(rows: Iterable[Iterable[object]]) -> bytes:
    """A CSV file. All is quoted, since where a semicolon parts the cells one would begin within a name."""
    made = io.StringIO(newline="")
    csv.writer(made, quoting=csv.QUOTE_ALL).writerows([cell(value) for value in row] for row in rows)
    return made.getvalue().encode()
