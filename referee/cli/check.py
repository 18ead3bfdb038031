"""`referee check GAME FILE.py`: what a student runs before handing in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import endings
from referee.cli.options import Chosen, command_line, game_options, named_game

if TYPE_CHECKING:
    from referee.admission import Admission, Problem

EPILOG = """
\b
Examples:
  referee check fish my_bot.py
  referee check q bots/ann --time 1 --memory 64M --allow numpy
  referee check tsuro my_bot.py --json
"""


@click.command(epilog=EPILOG)
@click.argument("game")
@click.argument("file")
@game_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(game: str, file: str, chosen: Chosen, as_json: bool) -> None:
    """Say whether FILE, a .py file or a folder with strategy.py, would be admitted to games of GAME.

    Loads it in the box and plays validation games against the reference strategies, from every seat. Exits with 0
    if it would be admitted, 1 if not, 2 for a mistake in the command, 3 when the referee or the machine is at fault.
    """
    with endings():
        import msgspec

        from referee.admission import examine
        from sandbox import Submission

        rules = named_game(game)
        Submission.read(file)  # what is no submission at all is said before a box is built
        config, terms = chosen.config(rules), chosen.terms()
        with chosen.zygote(rules) as zygote:
            found = examine(
                rules,
                file,
                config=config,
                seed=chosen.seed,
                terms=terms,
                zygote=zygote,
                told=progress if sys.stderr.isatty() else lambda played, planned: None,
            )
        if as_json:
            click.echo(msgspec.json.encode(report(found, file, chosen)))
        else:
            click.echo("\n".join(lines(found, file, chosen)))
    sys.exit(0 if found.admitted else 1)


def report(found: Admission, file: str, chosen: Chosen) -> dict[str, Any]:
    """The object that `--json` prints."""
    measured, terms = found.measured, found.terms
    return {
        "game": found.game,
        "file": file,
        "sha256": found.sha256,
        "admitted": found.admitted,
        "games": {"planned": found.planned, "played": found.played},
        "problems": [
            {
                "verdict": str(problem.verdict.ending),
                "method": problem.verdict.method,
                "turn": problem.turn,
                "detail": problem.verdict.detail,
                "file": problem.verdict.file or None,
                "line": problem.verdict.line or None,
                "traceback": problem.verdict.traceback,
                "state": problem.state,
                "output": problem.output,
                "games": problem.games,
                "command": _command(found, problem, chosen),
            }
            for problem in found.problems
        ],
        "usage": {
            "move_cpu_s": measured.move_cpu,
            "move_wall_s": measured.move_wall,
            "other_cpu_s": measured.other_cpu,
            "peak_memory": measured.memory,
            "output_bytes": measured.output,
        },
        "limits": {
            "move_cpu_s": terms.move.cpu,
            "move_wall_s": terms.move.deadline,
            "setup_cpu_s": terms.setup.cpu,
            "memory": terms.limits.memory,
            "output_bytes": terms.limits.output,
        },
        "output": found.output,
    }


def lines(found: Admission, file: str, chosen: Chosen) -> Iterator[str]:
    """The same for people."""
    from referee.showing import duration, explained, place, printed, size

    for number, problem in enumerate(found.problems, 1):
        games = f", and in {problem.games - 1} more of the games" if problem.games > 1 else ""
        yield f"Problem {number}: kicked {place(problem.turn, problem.verdict.method)}{games}"
        yield from explained(problem.verdict)
        if problem.state:
            yield "  asked in this state:"
            yield from (f"    {line}".rstrip() for line in problem.state.rstrip("\n").split("\n"))
        if problem.output:
            yield "  it had printed:"
            yield from printed(problem.output)
        yield f"  to see it again:  {_command(found, problem, chosen)}"
        yield ""
    measured, terms = found.measured, found.terms
    rows = [
        ("longest move, CPU", duration(measured.move_cpu), f"{terms.move.cpu:g} s"),
        ("longest move, wall", duration(measured.move_wall), f"{terms.move.deadline:g} s"),
        ("loading and the like, CPU", duration(measured.other_cpu), f"{terms.setup.cpu:g} s"),
        ("memory", size(measured.memory), size(terms.limits.memory)),
        ("printed", size(measured.output), size(terms.limits.output)),
    ]
    yield f"{'The most it used':<27}{'':>12}  allowed"
    yield from (f"  {what:<25}{used:>12}  {allowed}" for what, used, allowed in rows)
    yield ""
    if found.admitted:
        if found.output:
            yield "It printed, in the first game:"
            yield from printed(found.output)
            yield ""
        yield f"{file} would be admitted: {found.played} games of {found.game}, from every seat, without a fault."
    else:
        count = len(found.problems)
        yield (
            f"{file} would not be admitted: {count} problem{'s' * (count > 1)} "
            f"in {found.played} of {found.planned} games of {found.game}."
        )


def _command(found: Admission, problem: Problem, chosen: Chosen) -> str:
    """What plays that very game again."""
    import msgspec

    trial = problem.trial
    options = msgspec.structs.replace(chosen, seed=trial.seed).words()
    return command_line("play", found.game, *trial.players, *options)


def progress(played: int, planned: int) -> None:
    """How far the validation games are, for whoever waits at a terminal."""
    click.echo(f"\rgame {played} of {planned}", err=True, nl=played == planned)
