"""`referee reproduce`: asks one file what its player was asked in a recorded game, and shows where it fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings
from referee.cli.records import METAVAR

if TYPE_CHECKING:
    from pathlib import Path

    from referee.games.game import Game
    from referee.reproduce import Case, Outcome
    from sandbox import Submission, Verdict

EPILOG = """
\b
Examples:
  referee reproduce game.jsonl my_bot.py
  referee reproduce game.jsonl my_bot.py --player ann --json
  referee reproduce league.db:17 my_bot.py
  referee reproduce questions.jsonl my_bot.py
"""


@click.command(epilog=EPILOG)
@click.argument("record", metavar=METAVAR)
@click.argument("file", metavar="FILE.py", type=click.Path())
@click.option("--player", metavar="NAME", help="Whose questions to ask, where the file does not tell.")
@click.option("--accept-missing-layers", is_flag=True, help="Run files you trust where the box is not whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(record: str, file: str, player: str | None, accept_missing_layers: bool, as_json: bool) -> None:
    """Ask FILE.py the questions of its player in a recorded game, and show where it fails.

    No opponent is needed: every question is computed again from the record, and asked in the box under the limits
    and with the random numbers of that game. FILE.py may have been changed since. Instead of a record, the
    questions.jsonl that comes with a grade will do. Exits with 1 if it fails, with 0 if it answers everything.
    """
    with endings():
        import msgspec

        from referee.cli.options import Chosen
        from referee.cli.records import located, naming
        from referee.reproduce import reproduce

        place = located(record)
        with naming(place):
            case, submission = _case(place, file, player)
            chosen = Chosen(allow=case.terms.allow, accept_missing_layers=accept_missing_layers)
            with chosen.zygote(case.game) as zygote:
                outcome = reproduce(case, submission, zygote)
        if as_json:
            click.echo(msgspec.json.encode(_told(record, file, submission.sha256, outcome)))
        else:
            click.echo("\n".join(_lines(file, outcome)))
        sys.exit(1 if outcome.failure is not None else 0)


def _case(place: Path, file: str, player: str | None) -> tuple[Case, Submission]:
    """What is to be asked, and whom."""
    from referee import questions
    from referee.record import read
    from referee.reproduce import case_of, seat_of
    from referee.showing import name_shown

    case = questions.read(place)
    if case is None:
        record = read(place)
        submission = _submission(record.game, file)
        return case_of(record, seat_of(record, file, submission, player)), submission
    if player not in (None, case.player):
        raise Mistake(f"{place} holds the questions of {name_shown(case.player)} only; leave out --player.")
    return case, _submission(case.game, file)


def _submission(game: Game, file: str) -> Submission:
    from referee.entrants import named
    from sandbox import Submission

    source = named(game, "", file).source
    if not isinstance(source, Submission):
        raise Mistake("A person cannot be asked the same again; give a file.")
    return source


def _lines(file: str, outcome: Outcome) -> Iterator[str]:
    from referee.showing import explained, name_shown, place, printed
    from sandbox import clean

    changed = "" if outcome.same_file else ", which has changed since,"
    yield f"{file}{changed} was asked {outcome.asked} questions of {name_shown(outcome.player)}."
    if outcome.failure is not None:
        verdict, turn = outcome.failure.verdict, outcome.failure.turn
        yield f"It fails {place(turn, verdict.method)}:"
        yield from explained(verdict)
        if verdict.method and outcome.failure.table is not None:
            yield "The state it failed on:"
            yield outcome.failure.table.text().rstrip("\n")
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
        "recorded": recorded and _failed(recorded.verdict, recorded.turn),
        "reproduced": outcome.reproduced,
        "different": [
            {"turn": found.turn, "recorded": found.recorded, "answered": found.answered}
            for found in outcome.differences
        ],
        "output": outcome.output,
        "usage": amounts(outcome.usage),
        "state": failure and failure.table and failure.table.save(),
    }


def _failed(verdict: Verdict, turn: int) -> dict[str, Any]:
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
