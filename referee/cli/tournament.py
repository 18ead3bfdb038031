"""`referee tournament GAME PLAYERS...`: many games, on many cores or machines, and the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings
from referee.cli.options import Chosen, game_options, named_game
from referee.cli.site import site_place
from referee.cli.standings import told, written

if TYPE_CHECKING:
    from referee.games.game import Game
    from referee.match import Entrant
    from referee.tournament.spec import Spec

_FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "sprt")
_GAMES = {"knockout": 1, "sprt": 1000}  # unless said otherwise; else two for every seat
EPILOG = """
\b
Examples:
  referee tournament fish submissions/ greedy minimax:depth=2 --games 20
  referee tournament tsuro submissions/ --seats 4 --set tiles=shuffled --journal week3.db --csv week3.csv --html week3
  referee tournament q new=v2/bot.py old=v1/bot.py --format sprt
  referee tournament fish submissions/ --format swiss --rounds 7 --cluster tcp://10.0.0.5:8786
"""


@click.command(epilog=EPILOG)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYERS...")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="round-robin", show_default=True, help="Who meets whom."
)
@click.option("--seats", type=int, metavar="K", help="Players at a table.  [default: the fewest the game is for]")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="Games for each combination of K players, seats rotating; with sprt the most there may be.  "
    "[default: 2 for each seat; sprt 1000]",
)
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="R", help="Rounds of swiss.  [default: as many as find one leader]"
)
@click.option(
    "--elo",
    nargs=2,
    type=float,
    default=(0.0, 50.0),
    show_default=True,
    metavar="E0 E1",
    help="With sprt: the lead that is no progress, and the one that is.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="J", help="Games played side by side.  [default: one a core]"
)
@click.option(
    "--journal",
    metavar="FILE",
    help="Where results are kept; the same command goes on from there.  [default: named after the tournament]",
)
@game_options
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster, as tcp://host:8786.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write the table into this file too.")
@click.option("--html", metavar="DIR", help="Write pages of the standings and of every match into this folder.")
def command(
    game: str,
    players: tuple[str, ...],
    chosen: Chosen,
    form: str,
    seats: int | None,
    games: int | None,
    rounds: int | None,
    elo: tuple[float, float],
    jobs: int | None,
    journal: str | None,
    cluster: str | None,
    as_json: bool,
    csv_file: str | None,
    html: str | None,
) -> None:
    """Play many games of GAME and rate the players.

    PLAYERS are files, reference strategies, NAME=PLAYER, or folders: one with strategy.py is one player, in any
    other each .py file and each such folder is one.

    \b
    round-robin  every combination of K players meets, N games each, seats rotating
    gauntlet     the first player against all combinations of the others
    swiss        rounds in which players with about the same points meet
    knockout     as the courses play it: tables of up to the most seats, the best go on
    sprt         is the first player better than the second? stops as soon as it is certain

    Results are in the journal as soon as they are there. Stop it at any moment, even by pulling the plug: the same
    command goes on. A game that fails through no player's fault is played again. Exits with 0 when the tournament
    was held, 2 for a mistake in the command, 3 for a fault of the machine.
    """
    with endings("The same command goes on from there."):
        from referee.entrants import field
        from referee.tournament.journal import Journal
        from referee.tournament.tournament import Tournament

        rules = named_game(game)
        entrants = field(rules, players)
        spec = _spec(rules, entrants, chosen, form, _plan(rules, entrants, form, seats, games, rounds, elo))
        if csv_file is not None:
            written(csv_file, None)
        if html is not None:
            site_place(html)
        path = Path(journal or f"{game}-{spec.fingerprint[:8]}.db")
        with Journal.open(path, spec) as kept:
            if not kept.finished:
                from referee.tournament.looking import Looking

                # What is drawn meanwhile is wiped off at the end, and must not take the table with it.
                with Looking() as looking:
                    looking.note(_alike(rules, chosen, spec))
                    tournament = Tournament(kept, looking)
                    if tournament.done:
                        looking.note(f"Going on with {path}: {tournament.done} matches are played.")
                    with _crew(spec, entrants, jobs, cluster) as crew:
                        tournament.run(crew)
            told(kept, as_json=as_json, csv_file=csv_file, html=html)


def _plan(
    game: Game,
    entrants: list[Entrant],
    form: str,
    seats: int | None,
    games: int | None,
    rounds: int | None,
    elo: tuple[float, float],
) -> Any:
    from referee.tournament.formats import Plan
    from referee.tournament.formats.knockout import ranks_through

    low, high = game.seats[0], game.seats[-1]
    if seats is not None and seats not in game.seats:
        raise Mistake(f"--seats {seats}: {game.name} is for {low} to {high} players.")
    if rounds is not None and form != "swiss":
        raise Mistake(f"--rounds is for swiss; a {form} has as many as it needs.")
    if form == "knockout" and (games or 1) != 1:
        raise Mistake("--games: in a knockout every table plays one game.")
    if not elo[0] < elo[1]:
        raise Mistake(f"--elo {elo[0]:g} {elo[1]:g}: the first must be less than the second, as in --elo 0 50.")
    table = seats or (high if form == "knockout" else low)
    fewest = 2 if form == "knockout" else table
    if len(entrants) < fewest:
        what = f"a table of {game.name} has {table} seats" if fewest == table else "nobody can be knocked out"
        raise Mistake(f"With {len(entrants)} players {what}; give at least {fewest}.")
    if form == "sprt" and table == 2 and len(entrants) > 2:
        raise Mistake(f"With sprt two players meet, the new and the old one; you named {len(entrants)}.")
    return Plan(
        seats=table,
        games=games or _GAMES.get(form, 2 * table),
        lowest=low,
        rounds=rounds or 0,
        through=ranks_through(game),
        elo0=elo[0],
        elo1=elo[1],
    )


def _spec(game: Game, entrants: list[Entrant], chosen: Chosen, form: str, plan: Any) -> Spec:
    import msgspec

    from referee.tournament.match import Rules, Seat
    from referee.tournament.spec import Spec

    config = chosen.config(game)
    try:
        game.setup([str(seat) for seat in range(plan.seats)], config, 0)
    except ValueError as error:
        from referee.cli.endings import sentence

        raise Mistake(sentence(error)) from None
    chosen.check_allowed()
    rules = Rules(
        game=game.name,
        config=msgspec.to_builtins(config),
        terms=chosen.terms(),
        accept_missing_layers=chosen.accept_missing_layers,
    )
    return Spec(rules=rules, format=form, plan=plan, seed=chosen.seed, players=tuple(map(Seat.of, entrants)))


def _alike(game: Game, chosen: Chosen, spec: Spec) -> str:
    """A word of warning where all games begin alike, whatever the seed."""
    names = [str(seat) for seat in range(spec.plan.seats)]
    one, other = (game.setup(names, chosen.config(game), seed).save() for seed in (1, 2))
    if one != other:
        return ""
    return (
        f"Every game of {game.name} begins alike with these settings, so players that are not random repeat their "
        "games; `referee games` lists what can be --set."
    )


def _crew(spec: Spec, entrants: list[Entrant], jobs: int | None, cluster: str | None) -> Any:
    if cluster is None:
        from referee.tournament.lanes import Lanes

        return Lanes(spec.rules, entrants, jobs)
    from referee.tournament.cluster import Cluster

    return Cluster(cluster, spec.rules, entrants)
