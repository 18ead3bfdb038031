"""`referee replay`: shows a recorded game again, or its state after any turn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.endings import Mistake, endings
from referee.cli.pages import page_place, replay_page, write_page
from referee.cli.records import METAVAR, recorded

if TYPE_CHECKING:
    from referee.events import Event
    from referee.record import Record

EPILOG = """
\b
Examples:
  referee replay game.jsonl
  referee replay game.jsonl --watch
  referee replay league.db:17
  referee replay game.jsonl --html game.html
  referee replay game.jsonl --at 12 --svg board.svg
  referee replay game.jsonl --at 12 --state board.json && referee play fish a.py b.py --from board.json
"""


@click.command(epilog=EPILOG)
@click.argument("record", metavar=METAVAR)
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="The state after turn N; 0 is the start.")
@click.option("--watch", is_flag=True, help="Show the board after every move, at a pace one can follow.")
@click.option("--html", metavar="FILE", help="Write a page that replays the whole game, to open in a browser.")
@click.option("--svg", metavar="FILE", help="Draw the board into this file; as PNG if its name ends in .png.")
@click.option("--state", metavar="FILE", help="Write the state into this file, to play on from it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(
    record: str, at: int | None, watch: bool, html: str | None, svg: str | None, state: str | None, as_json: bool
) -> None:
    """Show a recorded game: what happened, the board, and the result; with --at up to that turn only.

    Everything is computed again from the moves; of a tournament's match too, given the journal and its number (see
    `referee matches`). A record that breaks off, because its referee was killed, is
    shown as far as it goes.
    """
    with endings(), recorded(record) as found:
        import msgspec

        from referee.observers import line
        from referee.showing import closing
        from sandbox import clean

        events = list(found.events()) if at is None else found.until(at)
        shown = events[-1].state
        if watch:
            from referee.watching import Watch

            with Watch() as screen:
                for event in events:
                    screen(event)
        if html is not None:
            write_page(page_place(html), replay_page(found, record))
        if svg is not None:
            _drawn(svg, shown)
        if state is not None:
            _written(state, msgspec.json.format(msgspec.json.encode(shown.save())) + b"\n")
        if as_json:
            click.echo(msgspec.json.encode(_told(record, found, events)))
            return
        if not watch:
            for event in events:
                click.echo(line(event))
            click.echo()
        if (result := getattr(events[-1], "result", None)) is not None:
            click.echo(closing(result))
            for again in _commands(record, found, events):
                click.echo(f"To ask that player the same again: {clean(again)}")
        else:
            click.echo(shown.text().rstrip("\n"))
            if at is None:
                click.echo("\nThe record breaks off here: the game did not come to its end.")
        if html is not None:
            click.echo(f"\nThe replay is in {html}: open it in a browser.")


def _told(path: str, record: Record, events: list[Event]) -> dict[str, Any]:
    from referee.events import Kicked
    from referee.games.game import colors
    from referee.showing import kick

    header, state = record.header, events[-1].state
    return {
        "id": header.id,
        "game": header.game,
        "seed": header.seed,
        "players": list(state.players),
        "colors": colors(state),
        "ranking": [sorted(rank) for rank in state.ranking()],
        "scores": state.scores(),
        "kicked": [kick(event) for event in events if isinstance(event, Kicked)],
        "turn": state.turn,
        "turns": record.turns,
        "over": state.is_over,
        "complete": record.result is not None,
        "state": state.save(),
        "record": path,
        "reproduce": _commands(path, record, events),
    }


def _commands(path: str, record: Record, events: list[Event]) -> list[str]:
    """What reproduces each kick, to be copied into a shell."""
    from referee.cli.again import asked_again
    from referee.events import Kicked

    return list(asked_again(path, record, [event.player for event in events if isinstance(event, Kicked)]).values())


def _drawn(path: str, state: Any) -> None:
    from referee.observers import picture

    try:
        picture(path, state)
    except OSError as error:
        raise Mistake(f"The picture {path} cannot be written: {error.strerror}.") from None


def _written(path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise Mistake(f"The state {path} cannot be written: {error.strerror}.") from None
