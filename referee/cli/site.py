"""Writes the folder with a tournament's pages: the standings, and beside them a replay for each match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.endings import Mistake
from referee.cli.pages import page_place, replay_page, write_page

if TYPE_CHECKING:
    from referee.tournament.standings import Standing
    from referee.tournament.tournament import Tournament

_MOST_REPLAYS = 5000  # of some 60 KB each


def site_place(folder: str) -> str:
    """A folder that pages may be written to, which is made where there is none."""
    try:
        (Path(folder) / "matches").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Mistake(f"--html {folder} cannot be a folder of pages: {error.strerror}; name another.") from None
    page_place(_index(folder))
    return folder


def write_site(folder: str, tournament: Tournament, table: list[Standing], notes: list[str]) -> None:
    """Replays first, so that the standings lead only to what is there."""
    from referee.viewer.standings import standings

    written = _write_replays(Path(folder) / "matches", tournament)
    write_page(_index(folder), standings(tournament, table, notes=notes, replays=written))
    click.echo(f"The pages are in {folder}: open {_index(folder)} in a browser.", err=True)


def _index(folder: str) -> str:
    return str(Path(folder) / "index.html")


def _write_replays(folder: Path, tournament: Tournament) -> set[int]:
    """The matches that could be; a record may be lost or damaged, and the others are to be seen all the same."""
    from referee.record import RecordError, read

    journal, written = tournament.journal, set()
    numbers = _chosen(tournament)
    for done, number in enumerate(numbers, 1):
        source = f"{journal.path}:{number}"
        try:
            page = replay_page(read(journal.record(number)), source)
        except RecordError:
            continue
        write_page(str(folder / f"{number:06}.html"), page)
        written.add(number)
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {len(numbers)} replays", err=True, nl=done == len(numbers))
    if len(numbers) > len(written):
        lost = len(numbers) - len(written)
        click.echo(f"Of {lost} of the matches there is no page: their records are gone or damaged.", err=True)
    return written


def _chosen(tournament: Tournament) -> list[int]:
    """All; of very many those with a kick and, as far as there is room, the last."""
    counted = {outcome.number: bool(outcome.kicked) for _, outcome in tournament.journal if not outcome.void}
    if len(counted) <= _MOST_REPLAYS:
        return list(counted)
    by_interest = sorted(counted, key=lambda number: (counted[number], number), reverse=True)
    return sorted(by_interest[:_MOST_REPLAYS])
