"""`referee reproduce`: asks one file what its player was asked in a recorded game, and shows where it fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings

if TYPE_CHECKING:
    from referee.recorder import KickLine
    from referee.reproduce import Outcome

EPILOG = """
\b
Examples:
  referee reproduce game.jsonl my_bot.py
  referee reproduce game.jsonl my_bot.py --player ann --json
"""


@click.command(epilog=EPILOG)
@click.argument("record", type=click.Path())
@click.argument("file", metavar="FILE.py", type=click.Path())
@click.option("--player", metavar="NAME", help="Whose questions to ask, where the file does not tell.")
@click.option("--accept-missing-layers", is_flag=True, help="Run files you trust where the box is not whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(record: str, file: str, player: str | None, accept_missing_layers: bool, as_json: bool) -> None:
    """Ask FILE.py the questions of its player in a recorded game, and show where it fails.

    No opponent is needed: every question is computed again from the record, and asked in the box under the limits
    and with the random numbers of that game. FILE.py may have been changed since. Exits with 1 if it fails, with 0
    if it answers everything.
    """
    with endings():
        import msgspec

        from referee.cli.options import Chosen
        from referee.entrants import named
        from referee.record import read
        from referee.reproduce import reproduce, seat_of
        from sandbox import Submission

        found = read(record)
        submission = named(found.game, "", file).source
        if not isinstance(submission, Submission):
            raise Mistake("A person cannot be asked the same again; give a file.")
        seat = seat_of(found, file, submission, player)
        chosen = Chosen(allow=found.header.terms.allow, accept_missing_layers=accept_missing_layers)
        with chosen.zygote(found.game) as zygote:
            outcome = reproduce(found, seat, submission, zygote)
        if as_json:
            click.echo(msgspec.json.encode(_told(record, file, submission.sha256, outcome)))
        else:
            click.echo("\n".join(_lines(file, outcome)))
        sys.exit(1 if outcome.failure is not None else 0)


def _lines(file: str, outcome: Outcome) -> Iterator[str]:
    from referee.showing import explained, name_shown, place, printed
    from sandbox import clean

    changed = "" if outcome.same_file else ", which has changed since,"
    yield f"{file}{changed} was asked {outcome.asked} questions of {name_shown(outcome.player)}."
    if outcome.failure is not None:
        verdict, turn = outcome.failure.verdict, outcome.failure.turn
        yield f"It fails {place(turn, verdict.method)}:"
        yield from explained(verdict)
        yield "The state it failed on:"
        yield outcome.failure.state.text().rstrip("\n")
    else:
        yield "It does not fail."
    if outcome.output:
        yield "It printed:"
        yield from printed(outcome.output)
    then = outcome.recorded
    if outcome.reproduced:
        yield "So it did in the record."
    elif then is not None:
        yield f"In the record it failed {place(then.turn, clean(then.verdict.method))}: {clean(str(then.verdict))}"
    elif outcome.failure is not None:
        yield "In the record it did not fail."
    if outcome.differences:
        first = outcome.differences[0]
        yield (
            f"{len(outcome.differences)} of its answers are not those of the record, first in turn {first.turn}: "
            f"{_short(first.answered)} instead of {_short(first.recorded)}."
        )


def _told(record: str, file: str, sha256: str, outcome: Outcome) -> dict[str, Any]:
    from referee.recorder import amounts

    failure, recorded = outcome.failure, outcome.recorded
    return {
        "record": record,
        "file": file,
        "sha256": sha256,
        "same_file": outcome.same_file,
        "player": outcome.player,
        "asked": outcome.asked,
        "fails": failure is not None,
        "failure": failure and _failed(failure.verdict, failure.turn),
        "recorded": recorded and _recorded(recorded),
        "reproduced": outcome.reproduced,
        "different": [
            {"turn": found.turn, "recorded": found.recorded, "answered": found.answered}
            for found in outcome.differences
        ],
        "output": outcome.output,
        "usage": amounts(outcome.usage),
        "state": failure and failure.state.save(),
    }


def _recorded(line: KickLine) -> dict[str, Any]:
    return _failed(line.verdict, line.turn)


def _failed(verdict: Any, turn: int) -> dict[str, Any]:
    return {
        "verdict": str(verdict.ending),
        "method": verdict.method,
        "turn": turn,
        "detail": verdict.detail,
        "line": verdict.line or None,
        "traceback": verdict.traceback,
    }


def _short(action: Any) -> str:
    import msgspec

    from sandbox import clean

    return clean(msgspec.json.encode(action).decode(), 100)
