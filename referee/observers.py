"""Two who look on at a game: one writes a line an event with the time of day, one draws a picture an event."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec

from referee.events import Ended, Event, Kicked, Moved, Started
from referee.games.game import State
from referee.games.label import label
from sandbox import clean

_LONGEST = 160  # characters of an action: a turn of Q may put down many tiles


class MissingExtra(ValueError):
    """An optional package is not installed; the text says how to get it."""


class Logger:
    """Writes what happens, a line an event, with the time it was told: `12:00:01.250  turn 3: a: movement ...`."""

    def __init__(self, stream: IO[str] | None = None, now: Callable[[], datetime.datetime] | None = None) -> None:
        self._stream = stream or sys.stderr
        self._now = now or datetime.datetime.now

    def __call__(self, event: Event) -> None:
        time = self._now().isoformat(sep=" ", timespec="milliseconds").partition(" ")[2]
        self._stream.write(f"{time}  {line(event)}\n")
        self._stream.flush()


def line(event: Event) -> str:
    """An event in a line, safe to show whatever the players are called or said."""
    if isinstance(event, Started):
        return f"started: {', '.join(map(label, event.state.players))}"
    if isinstance(event, Moved):
        action = clean(msgspec.json.encode(event.action).decode(), _LONGEST)
        cost = f"{event.used.cpu * 1000:.1f} ms"
        return f"turn {event.state.turn}: {label(event.player)}: {event.method} {action} ({cost})"
    if isinstance(event, Kicked):
        where = f" in {event.verdict.method}" if event.verdict.method else ""
        return f"turn {event.turn}: {label(event.player)} is kicked{where}: {clean(str(event.verdict))}"
    if isinstance(event, Ended):
        ranks = [" and ".join(sorted(map(label, rank))) or "nobody" for rank in event.result.ranking]
        return f"ended: {', then '.join(ranks) or 'nobody is left'}"
    return event.kind


class Pictures:
    """Draws the table after each event: `0000-started.svg`, `0001-placed.svg` and so on, as PNG too if wanted."""

    def __init__(self, folder: str | Path, png: bool = False) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._draw = [svg, png_drawer()] if png else [svg]
        self._count = 0

    def __call__(self, event: Event) -> None:
        for draw in self._draw:
            suffix = "svg" if draw is svg else "png"
            (self._folder / f"{self._count:04}-{event.kind}.{suffix}").write_bytes(draw(event.state))
        self._count += 1


def svg(state: State) -> bytes:
    return state.svg().encode()


def png_drawer() -> Callable[[State], bytes]:
    """What makes a PNG of a state; needs the extra `png`."""
    try:
        import cairosvg  # only who wants a PNG needs it
    except (ImportError, OSError) as error:  # OSError: it is there, but the library cairo is not
        raise MissingExtra(
            f"PNG pictures need the extra `png` ({error}): pip install 'referee[png]', "
            "and the library cairo of your system; SVG pictures need neither"
        ) from error

    return lambda state: bytes(cairosvg.svg2png(bytestring=svg(state)))


def picture(path: str | Path, state: State) -> None:
    """Draw one state into a file: a PNG if its name says so, else an SVG."""
    draw = png_drawer() if Path(path).suffix.lower() == ".png" else svg
    Path(path).write_bytes(draw(state))
