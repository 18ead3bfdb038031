"""`referee standings JOURNAL`: the table of a tournament, finished or under way."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings
from referee.cli.site import site_place, write_site

if TYPE_CHECKING:
    from referee.tournament.journal import Journal
    from referee.tournament.standings import Standing

_NAMED = 10  # winners, in a sentence
EPILOG = """
\b
Examples:
  referee standings week3.db
  referee standings week3.db --csv week3.csv
  referee standings week3.db --html week3
"""


@click.command(epilog=EPILOG)
@click.argument("journal", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write the table into this file too.")
@click.option("--html", metavar="DIR", help="Write pages of the standings and of every match into this folder.")
def command(journal: str, as_json: bool, csv_file: str | None, html: str | None) -> None:
    """Show the table of the tournament in JOURNAL, also while it is being played.

    Points: one for each opponent beaten, half for a tie, by the number of opponents. The rating is one fit over all
    results, on the Elo scale, the field's mean being 0; with it, its 95 % interval.
    """
    with endings():
        from referee.tournament.journal import Journal

        with Journal.read(Path(journal)) as kept:
            told(kept, as_json=as_json, csv_file=csv_file, html=html and site_place(html))


def told(journal: Journal, *, as_json: bool, csv_file: str | None, html: str | None) -> None:
    """The table on stdout, and in a file and on pages where they are wanted."""
    import msgspec

    from referee.tournament.tournament import Tournament

    tournament = Tournament(journal)
    standings = tournament.standings()
    if csv_file is not None:
        written(csv_file, standings)
    decision = _decision(journal)
    notes = [_summary(tournament), *([_decided(journal, decision)] if decision is not None else [])]
    if html is not None:
        write_site(html, tournament, standings, notes)
    if as_json:
        told: dict[str, Any] = {
            "standings": standings,
            "matches": {"played": tournament.table.played, "void": tournament.table.void},
            "journal": str(journal.path),
            "finished": journal.finished,
            "winners": tournament.winners(),
        }
        click.echo(msgspec.json.encode(told | ({"sprt": decision} if decision is not None else {})))
        return
    from referee.tournament.tables import lines

    for line in lines(standings):
        click.echo(line)
    click.echo()
    for note in notes:
        click.echo(note)
    click.echo(f"Matches: referee matches {journal.path}")


def written(path: str, standings: list[Standing] | None) -> None:
    """The table as CSV; before there is one, just whether it could be written."""
    from referee.tournament.tables import csv_rows

    try:
        with open(path, "a" if standings is None else "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(csv_rows(standings) if standings is not None else [])
    except OSError as error:
        raise Mistake(f"--csv {path} cannot be written: {error.strerror}.") from None


def _summary(tournament: Any) -> str:
    table, winners = tournament.table, tournament.winners()
    text = f"{table.played} matches played"
    if table.void:
        text += (
            f", {table.void} void through no player's fault (referee matches {tournament.journal.path} --verdict void)"
        )
    if not tournament.journal.finished:
        return f"{text}; the tournament is not over."
    if not winners:
        return f"{text}. Nobody won."
    named = ", ".join(winners[:_NAMED]) + (f" and {len(winners) - _NAMED} more" if len(winners) > _NAMED else "")
    return f"{text}. Winner{'s' if len(winners) > 1 else ''}: {named}."


def _decided(journal: Journal, decision: Any) -> str:
    bounds = f"LLR {decision.llr:.2f} in [{decision.lower:.2f}, {decision.upper:.2f}]"
    if decision.answer == "undecided":
        return f"Undecided after {decision.games} games: {bounds}."
    first, second = journal.spec.names[:2]
    return f"{first} is {decision.answer} than {second}: {bounds} after {decision.games} games."


def _decision(journal: Journal) -> Any:
    if journal.spec.format != "sprt":
        return None
    from referee.tournament.formats.sprt import judged

    return judged(journal.unbroken(), journal.spec.plan)
