"""Which record a command means by a word: a file's path, or JOURNAL:MATCH for a match of a tournament."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.endings import Mistake

if TYPE_CHECKING:
    from referee.record import Record

METAVAR = "RECORD|JOURNAL:MATCH"
_MOST_DIGITS = 18  # of a number that a journal can hold


def located(word: str) -> Path:
    """The path of the record. A file that has just that name is meant rather than a match."""
    journal, _, number = word.rpartition(":")
    if not journal or not (number.isascii() and number.isdigit()) or os.path.lexists(word):
        return Path(word)
    from referee.tournament.journal import Journal
    from sandbox import clean

    with Journal.read(Path(journal)) as opened:
        match = int(number[:_MOST_DIGITS])
        if len(number) > _MOST_DIGITS or not opened.ids(match, match + 1):
            raise Mistake(f"The journal {journal} has no match {number}; `referee matches {journal}` lists them.")
        (outcome,) = opened.outcomes(match, match + 1)
        if outcome.void:
            raise Mistake(
                f"Match {match} of {journal} is void, so no game of it is kept: {clean(outcome.void).rstrip('.')}."
            )
        return opened.record(match)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Whatever turns out to be untrue in a record names the file."""
    from referee.record import RecordError, Untrue

    try:
        yield
    except Untrue as error:
        raise RecordError(f"{path}, {str(error).rstrip('.')}.") from error


@contextlib.contextmanager
def recorded(word: str) -> Iterator[Record]:
    """The record that is meant, to be looked into."""
    from referee.record import read

    path = located(word)
    with naming(path):
        yield read(path)
