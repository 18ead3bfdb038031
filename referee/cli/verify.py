"""`referee verify`: computes a recorded game again from its moves, and says whether the record is true."""

from __future__ import annotations

import sys

import click

from referee.cli.endings import endings
from referee.cli.records import METAVAR, located


@click.command(epilog="Examples:  referee verify game.jsonl   |   referee verify game.jsonl --json")
@click.argument("record", metavar=METAVAR)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(record: str, as_json: bool) -> None:
    """Say whether a record is true.

    The whole game is computed again: every move must be allowed where it was made, every answer refused that
    a player was kicked for, every state and the result those of the record. What an answer cost, and whether a
    player was late, crashed or sent no sound answer, nobody can compute again. Exits with 0 if the record is
    true, also when it breaks off (its referee was killed), with 1 if it is not, and with 2 for a file that is no
    record.
    """
    with endings():
        import msgspec

        from referee.record import RecordError, read

        found = read(located(record))
        problem = None
        try:
            found.verify()
        except RecordError as error:
            problem = str(error)
        complete = found.result is not None
        # A record that is not true may have a beginning that no state can be made of.
        turns = found.turns if problem is None else found.lines[-1].turn if found.lines else 0
        if as_json:
            told = {
                "record": record,
                "id": found.header.id,
                "game": found.header.game,
                "true": problem is None,
                "complete": complete,
                "turns": turns,
                "problem": problem,
            }
            click.echo(msgspec.json.encode(told))
        elif problem is not None:
            click.echo(f"{record} is not true: {problem}.")
        elif complete:
            click.echo(f"{record} is true: {turns} turns of {found.header.game}, and the result.")
        else:
            click.echo(f"{record} is true as far as it goes, {turns} turns; the game did not come to its end.")
        sys.exit(0 if problem is None else 1)
