"""`referee resume`: plays a recorded game on from any of its turns, with the same players or with others."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import click

from referee.cli.endings import Mistake, endings
from referee.cli.records import METAVAR, recorded

if TYPE_CHECKING:
    from referee.games.game import State
    from referee.match import Entrant
    from referee.record import Record

EPILOG = """
\b
Examples:
  referee resume game.jsonl --at 12
  referee resume game.jsonl --at 12 my_bot.py greedy
  referee resume game.jsonl --at 12 ann=fixed.py --record second-try.jsonl
"""


@click.command(epilog=EPILOG)
@click.argument("record", metavar=METAVAR)
@click.argument("players", nargs=-1, metavar="[PLAYER...]")
@click.option("--at", type=click.IntRange(min=0), required=True, metavar="N", help="After turn N; 0 is the start.")
@click.option("--record", "new_record", metavar="FILE", help="Write the record of the new game here.")
@click.option("--watch", is_flag=True, help="Show the board after every move.")
@click.option("--accept-missing-layers", is_flag=True, help="Run files you trust where the box is not whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(
    record: str,
    players: tuple[str, ...],
    at: int,
    new_record: str | None,
    watch: bool,
    accept_missing_layers: bool,
    as_json: bool,
) -> None:
    """Play a recorded game on from the state after turn N.

    Without players those of the record play on, if their files are still the same. Else give a PLAYER (see
    `referee play`) for each seat, in order; or NAME=PLAYER for those seats only that somebody else is to take,
    where NAME is a player of the record. Seed, settings and limits are those of the record. Every strategy starts
    fresh: it is told the state by `setup`. Whoever was kicked by then stays out.
    """
    with endings(), recorded(record) as found:
        from referee.cli.options import Chosen
        from referee.cli.play import play, writable
        from referee.referee import Referee

        header, game, state = found.header, found.game, found.at(at)
        if state.is_over:
            raise Mistake(f"After turn {at} that game is over: there is nothing left to play; take an earlier turn.")
        entrants = _entrants(found, state, players)
        build = functools.partial(
            Referee,
            game,
            entrants,
            config=found.config(),
            seed=header.seed,
            terms=header.terms,
            record=writable(new_record),
            start=state,
        )
        chosen = Chosen(seed=header.seed, allow=header.terms.allow, accept_missing_layers=accept_missing_layers)
        play(game, build, entrants, chosen, watch=watch, as_json=as_json)


def _entrants(record: Record, state: State, words: tuple[str, ...]) -> list[Entrant]:
    """Who sits down, in seat order."""
    from referee.entrants import parse
    from sandbox import clean

    names = list(state.players)
    # Before the "=" of each word; of a word without one, nothing that is a player's name.
    chosen = [word.partition("=")[0] if "=" in word else "" for word in words]
    if set(chosen) <= set(names):  # with no words too
        given = dict(zip(chosen, parse(record.game, words), strict=True))
        return [given.get(name) or _reopened(record, state, seat) for seat, name in enumerate(names)]
    if len(words) != len(names):
        raise Mistake(
            f"That game has {len(names)} seats, those of {', '.join(map(clean, names))}: give as many players, or none "
            "to let the same play on, or NAME=PLAYER for some of those names."
        )
    return parse(record.game, words)


def _reopened(record: Record, state: State, seat: int) -> Entrant:
    """A player of the record, from the same file."""
    from referee.entrants import named
    from referee.match import Entrant
    from sandbox import clean

    name, entry = state.players[seat], record.header.players[seat]
    given, sha256 = entry.get("given", ""), entry.get("sha256", "")
    if name in state.kicked:
        return Entrant(name, given=given)  # nobody sits there
    who, file = clean(name), clean(given)
    if not given:
        raise Mistake(f"{who} was no file that could be opened again: say with {who}=PLAYER who plays in its place.")
    entrant = named(record.game, name, given)
    if entrant.sha256 != sha256:
        raise Mistake(
            f"{file} is not the file that {who} played with (its SHA-256 is {entrant.sha256[:12]}..., in the record "
            f"{clean(sha256[:12]) or 'none'}...); if it is to play nevertheless, write {who}={file}."
        )
    return entrant
