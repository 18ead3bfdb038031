"""`referee bench GAME FILE...`: how fast strategies are, compared with each other and with how fast they were."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings
from referee.cli.options import Chosen, game_options, named_game
from referee.cli.pages import page_place, write_page

if TYPE_CHECKING:
    from referee.games.game import Game
    from referee.match import Entrant
    from referee.timing.baseline import Judgement
    from referee.timing.positions import Position
    from referee.timing.report import Report

EPILOG = """
\b
Examples:
  referee bench fish my_bot.py
  referee bench fish old.py new.py minimax:depth=2 --positions 60 --repeat 10
  referee bench fish old.py new.py --html times.html
  referee bench q my_bot.py --json > before.json
  referee bench q my_bot.py --against before.json
  referee replay game.jsonl --at 12 --state board.json && referee bench fish my_bot.py --states board.json
"""


@click.command(epilog=EPILOG)
@click.argument("game")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@game_options
@click.option(
    "--positions", type=click.IntRange(0, 3000), metavar="N", default=30, show_default=True,
    help="Positions from seeded games.",
)  # fmt: skip
@click.option("--states", multiple=True, metavar="FILE...", help="Saved states to ask about as well; see `replay`.")
@click.option(
    "--repeat", type=click.IntRange(1, 1000), metavar="R", default=5, show_default=True, help="Times each is asked."
)
@click.option("--against", metavar="BASELINE", help="What --json printed earlier, to be held against.")
@click.option("--html", metavar="FILE", help="Write a page with all that was found, to open in a browser.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(
    game: str,
    files: tuple[str, ...],
    chosen: Chosen,
    positions: int,
    states: tuple[str, ...],
    repeat: int,
    against: str | None,
    html: str | None,
    as_json: bool,
) -> None:
    """Say how much CPU time a move takes each FILE, a .py file, a folder or a reference strategy.

    All are asked about the same positions in the box, in turn and several times: N positions from the openings,
    middles and ends of games between reference strategies, always the same for one --seed, and the saved states.
    Each starts fresh for every game that positions come from and is told the first of them by `setup`. Repeats are
    alike, random numbers included: an answer that changes cannot be reproduced in play either.

    Exits with 1 if a file fails or has become slower than the baseline beyond the noise, 2 for a mistake in the
    command, 3 when the referee or the machine is at fault.
    """
    with endings():
        import msgspec

        from referee.timing import baseline, measure
        from referee.timing.positions import Sitting, drawn
        from referee.timing.report import report

        rules = named_game(game)
        if html is not None:
            page_place(html)
        # `--states a.json b.json`: the shell knows no end of an option's words.
        given = [*states, *(word for word in files if states and word.endswith(".json"))]
        words = [word for word in files if word not in given]
        entrants = _entrants(rules, words)
        saved = _saved(rules, given)
        if not positions and not saved:
            raise Mistake("There is nothing to ask: give --positions at least 1, or --states.")
        earlier = baseline.read(against, rules.name) if against is not None else None
        config, terms = chosen.config(rules), chosen.terms()
        with chosen.zygote(rules) as zygote:
            sittings = drawn(rules, words, positions, config=config, seed=chosen.seed, zygote=zygote)
            sittings += [Sitting(number, (position,)) for number, position in enumerate(saved, len(sittings))]
            if earlier is not None and against is not None:
                asked = {position.id for sitting in sittings for position in sitting.positions}
                baseline.check_positions(earlier, against, asked)
            measured = measure.measure(
                rules,
                entrants,
                sittings,
                repeat,
                seed=chosen.seed,
                terms=terms,
                zygote=zygote,
                told=_progress if sys.stderr.isatty() else lambda done, planned: None,
            )
        found = report(
            rules.name,
            sittings,
            measured,
            settings=chosen.settings,
            seed=chosen.seed,
            repeat=repeat,
            budget=chosen.time,
        )
        judgement = baseline.held_against(found, earlier, against) if earlier is not None and against else None
        if html is not None:
            from referee.viewer.timings import timings

            write_page(html, timings(found, judgement))
        if as_json:
            click.echo(msgspec.json.encode(_object(found, judgement)))
        else:
            _show(found, judgement)
            if html is not None:
                click.echo(f"\nThe page is in {html}: open it in a browser.")
    sys.exit(0 if found.ok and not (judgement and judgement.regressions) else 1)


def _entrants(game: Game, words: list[str]) -> list[Entrant]:
    from referee.entrants import parse

    entrants = parse(game, words)
    if not entrants:
        raise Mistake("There is no file to measure; give at least one.")
    if any(entrant.source is None for entrant in entrants):
        raise Mistake("A person is not measured; give files.")
    return entrants


def _saved(game: Game, paths: list[str]) -> list[Position]:
    """Each once, though it be given twice."""
    from referee.cli.play import loaded
    from referee.timing.positions import saved

    found: dict[str, Position] = {}
    for path in paths:
        state = loaded(game, path)
        assert state is not None
        position = saved(state, path)
        found.setdefault(position.id, position)
    return list(found.values())


def _object(found: Report, judgement: Judgement | None) -> dict[str, Any]:
    """With what is worked out from the rest, for programs that do not want to."""
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(found)
    for shown, comparison in zip(told["comparisons"], found.comparisons, strict=True):
        shown |= {"differs": comparison.differs, "sentence": str(comparison)}
    told["against"] = None
    if judgement is not None:
        told["against"] = msgspec.to_builtins(judgement)
        told["against"]["regressions"] = msgspec.to_builtins(judgement.regressions)
    told["ok"] = found.ok and not (judgement and judgement.regressions)
    return told


def _show(found: Report, judgement: Judgement | None) -> None:
    from referee.timing import bars

    if sys.stdout.isatty():
        bars.draw(bars.told(found, judgement, blocks=True))
    else:
        click.echo("\n".join(bars.told(found, judgement, blocks=False)))


def _progress(done: int, planned: int) -> None:
    click.echo(f"\r{done} of {planned} sittings", err=True, nl=done == planned)
