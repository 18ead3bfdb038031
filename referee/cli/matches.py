"""`referee matches JOURNAL`: the matches of a tournament, and how each ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.endings import Mistake, endings

if TYPE_CHECKING:
    from referee.tournament.journal import Journal
    from referee.tournament.outcome import Outcome

VOID = "void"
EPILOG = """
\b
Examples:
  referee matches week3.db --player ann
  referee matches week3.db --verdict cpu-timeout
  referee replay week3.db:17
"""


@click.command(epilog=EPILOG)
@click.argument("journal", type=click.Path())
@click.option("--player", metavar="P", help="Only those in which P plays.")
@click.option("--verdict", metavar="V", help="Only those with a kick of this verdict (of P, if given), or void.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(journal: str, player: str | None, verdict: str | None, as_json: bool) -> None:
    """List the matches of a tournament: number, seats, ranking, kicks. `referee replay JOURNAL:NUMBER` shows one."""
    with endings():
        import msgspec

        from referee.tournament.journal import Journal
        from sandbox import Ending

        verdicts = [VOID, *(str(ending) for ending in Ending)]
        if verdict is not None and verdict not in verdicts:
            raise Mistake(f"--verdict {verdict}: the verdicts are {', '.join(verdicts)}.")
        with Journal.read(Path(journal)) as kept:
            if player is not None and player not in kept.spec.names:
                names = ", ".join(kept.spec.names)
                raise Mistake(f"--player {player}: nobody of that name plays in {journal}; the players are {names}.")
            found = _chosen(kept, player, verdict)
            if as_json:
                listed = [{"id": identity, **msgspec.to_builtins(outcome)} for identity, outcome in found]
                click.echo(msgspec.json.encode({"journal": journal, "matches": listed}))
                return
            for _, outcome in found:
                click.echo(line(outcome))


def _chosen(journal: Journal, player: str | None, verdict: str | None) -> Iterator[tuple[str, Outcome]]:
    from sandbox import Ending

    for identity, outcome in journal:
        verdicts = {kick.verdict for kick in outcome.kicked if player in (None, kick.player)}
        if outcome.void:
            verdicts |= {VOID, Ending.REFEREE_ERROR}
        if (player is None or player in outcome.seats) and (verdict is None or verdict in verdicts):
            yield identity, outcome


def line(outcome: Outcome) -> str:
    """A match in a line: `17  ann, bob  ann > bob  bob kicked: exit (turn 3)`."""
    from sandbox import clean

    parts = [f"{outcome.number:>6}", ", ".join(outcome.seats)]
    if outcome.void:
        return clean("  ".join([*parts, f"void: {outcome.void}"]))
    parts.append(" > ".join(" = ".join(rank) for rank in outcome.ranking) or "nobody left")
    parts += [f"{kick.player} kicked: {kick.verdict} (turn {kick.turn})" for kick in outcome.kicked]
    return clean("  ".join(parts))
