"""`referee play GAME PLAYER PLAYER...`: one game, from seating to ranking."""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings, sentence
from referee.cli.options import Chosen, game_options, named_game
from referee.cli.pages import page_place, replay_page, write_page

if TYPE_CHECKING:
    from referee.games.game import Game, State
    from referee.match import Entrant
    from referee.referee import Referee

EPILOG = """
\b
Examples:
  referee play fish my_bot.py greedy
  referee play fish ann=ann.py bob=bots/bob minimax:depth=3 --seed 7 --record game.jsonl
  referee play fish my_bot.py greedy --html game.html
  referee play tsuro human second third --watch
  referee play q my_bot.py dag --wall 5 --memory 64M --allow numpy --json
"""


_LONGEST_LINE = 1 << 24  # bytes of a file that is there, to see what it is


@click.command(epilog=EPILOG)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@game_options
@click.option("--from", "start", metavar="STATE", help="A saved state to begin from, instead of a fresh game.")
@click.option("--record", metavar="FILE", help="Write the record of the game here.")
@click.option("--html", metavar="FILE", help="Write a page that replays the game, to open in a browser.")
@click.option("--watch", is_flag=True, help="Show the board after every move.")
@click.option("--debug", metavar="NAME", help="Run this player in process, unmetered, so that breakpoint() works.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(
    game: str,
    players: tuple[str, ...],
    chosen: Chosen,
    start: str | None,
    record: str | None,
    html: str | None,
    watch: bool,
    debug: str | None,
    as_json: bool,
) -> None:
    """Play one game of GAME.

    A PLAYER is a path (a .py file, or a folder with strategy.py), the name of a reference strategy (see
    `referee players GAME`; some take parameters, as in minimax:depth=3), or `human`. NAME=PLAYER names it. Players
    sit in the order they are given.

    Every file runs in a box of its own. Whoever crashes, hangs or cheats is kicked, and the game goes on. Exits
    with 0 when the game was played, 2 for a mistake in the command, 3 when the game is void through no player's fault.
    """
    with endings():
        from referee.entrants import parse

        rules = named_game(game)
        entrants = parse(rules, players)
        if debug is not None:
            entrants = _debugged(rules, entrants, debug, chosen)
        build = prepared(rules, entrants, chosen, start=loaded(rules, start), record=writable(record))
        if html is not None:
            page_place(html)  # a mistake is told before the game is played
        play(rules, build, entrants, chosen, html=html, watch=watch, as_json=as_json)


def prepared(
    game: Game, entrants: list[Entrant], chosen: Chosen, *, start: State | None = None, record: str | None = None
) -> Callable[..., Referee]:
    """What makes the referee, once there is a zygote; whatever is wrong with the game is said before."""
    from referee.match import derived
    from referee.referee import Referee

    config = chosen.config(game)
    build = functools.partial(
        Referee, game, entrants, config=config, seed=chosen.seed, terms=chosen.terms(), record=record, start=start
    )
    try:
        build()
        if start is None:
            game.setup([entrant.name for entrant in entrants], config, derived(chosen.seed, "rules"))
    except ValueError as error:
        raise Mistake(sentence(error)) from None
    return build


def play(
    game: Game,
    build: Callable[..., Referee],
    entrants: list[Entrant],
    chosen: Chosen,
    *,
    html: str | None = None,
    watch: bool = False,
    as_json: bool = False,
) -> None:
    """Play, and tell the result on stdout."""
    import msgspec

    from referee.record import read
    from referee.showing import closing, report

    boxed = any(entrant.sit is None for entrant in entrants)
    with contextlib.ExitStack() as stack:
        zygote = stack.enter_context(chosen.zygote(game)) if boxed else None
        referee = build(zygote=zygote)
        unasked = html is not None and referee.record is None
        if unasked:  # the page is made of a record, and nobody wants to keep this one
            referee.record = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "game.jsonl")
        if watch:
            from referee.watching import Watch

            everyone_boxed = all(entrant.sit is None for entrant in entrants)  # else somebody types into the terminal
            referee.subscribe(stack.enter_context(Watch(live=everyone_boxed)))
        result = referee.run()
        if html is not None and result.record is not None:
            write_page(html, replay_page(read(result.record), "" if unasked else result.record))
    if unasked:
        result = msgspec.structs.replace(result, record=None)
    if as_json:
        click.echo(msgspec.json.encode(report(referee, result)))
        return
    click.echo(closing(result))
    if result.record is not None:
        click.echo(f"\nRecorded in {result.record}.")
    if html is not None:
        click.echo(f"\nThe replay is in {html}: open it in a browser.")


def loaded(game: Game, path: str | None) -> State | None:
    """A state that was saved, as `replay --state` writes it."""
    import msgspec

    if path is None:
        return None
    try:
        data = msgspec.json.decode(Path(path).read_bytes(), type=dict[str, Any])
        return game.load(data)
    except OSError as error:
        raise Mistake(f"The state {path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Mistake(f"{path} is no saved state of {game.name}: {error}.") from None


def writable(path: str | None) -> str | None:
    """A path that a record may be written to; what is there and is no record is not overwritten."""
    if path is None:
        return None
    place = Path(path)
    folder = place.absolute().parent
    if place.is_dir() or not folder.is_dir():
        what = "is a folder" if place.is_dir() else "is in a folder that does not exist"
        raise Mistake(f"--record {path} {what}; name a file in a folder that is there.")
    if not os.access(place if place.exists() else folder, os.W_OK):
        raise Mistake(f"--record {path} may not be written; choose a folder that is yours.")
    if place.is_file() and os.access(place, os.R_OK):
        with open(place, "rb") as file:
            if not _is_record(file.readline(_LONGEST_LINE)):
                raise Mistake(f"--record {path} is there already and is no record; choose another name.")
    return path


def _is_record(first_line: bytes) -> bool:
    """Whether a file that begins like this is one, or is empty."""
    import msgspec

    from referee.recorder import Header, decode

    try:
        return not first_line or isinstance(decode(first_line), Header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _debugged(game: Game, entrants: list[Entrant], name: str, chosen: Chosen) -> list[Entrant]:
    from referee.debugging import in_process

    changed = list(entrants)
    for seat, entrant in enumerate(entrants):
        if entrant.name == name and entrant.source is not None:
            try:
                changed[seat] = in_process(game, entrant, chosen.seed, seat, chosen.allow)
            except (Exception, SystemExit):
                click.echo(traceback.format_exc(), err=True)
                raise Mistake(
                    f"{entrant.given} does not load, so it cannot be debugged; the traceback is above."
                ) from None
            return changed
    names = ", ".join(entrant.name for entrant in entrants if entrant.source is not None)
    raise Mistake(f"--debug {name}: no file plays under that name; those that do are {names or 'none'}.")
