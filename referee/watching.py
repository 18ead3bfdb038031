"""A game as it is played, in the terminal: the board drawn again after each event, at a pace one can follow."""

from __future__ import annotations

import queue
import re
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.events import Ended, Event, Kicked
from referee.games.game import State
from referee.observers import line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

PACE = 0.3  # seconds a board stays
_FRAME = 2  # lines of a panel beside those in it
# Letters on a ground of their own: so white and black can be read on any terminal.
_STYLES = {
    "red": "bold #ffffff on #b84a00",
    "white": "bold #111111 on #f2f2f2",
    "brown": "bold #ffffff on #7a4f2a",
    "black": "bold #ffffff on #3a3a3a",
    "green": "bold #ffffff on #007a59",
    "blue": "bold #ffffff on #0066a8",
    "yellow": "bold #111111 on #f0e442",
    "orange": "bold #111111 on #e69f00",
    "purple": "bold #111111 on #d98fb9",
}
_EMPTY = re.compile(r"(?<!\S)\.(?!\S)")
_ASKED = re.compile(r"^>.*$", re.MULTILINE)


class Watch:
    """An observer. Draws in its own time, and only on leaving `with Watch() as watch:` waits until all was shown.

    Where `live` is not wanted, because somebody types into the terminal, one board follows the other; where there is no
    terminal, or one without colours (NO_COLOR, TERM=dumb), they do so as plain text.
    """

    def __init__(self, console: Console | None = None, *, live: bool = True, pace: float = PACE) -> None:
        from rich.console import Console

        self._console = shown = console or Console(stderr=True, highlight=False)
        colored = shown.is_terminal and shown.color_system is not None and not shown.no_color
        self._pace = pace
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._leave = threading.Event()
        draw = self._write if not colored else self._draw if live else self._print
        self._thread = threading.Thread(target=draw, daemon=True)

    def __call__(self, event: Event) -> None:
        self._events.put(event)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._events.put(None)
        if kind is not None:
            self._leave.set()  # nobody wants to watch the rest
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._leave.set()  # it was long enough
            self._thread.join()

    def _told(self) -> Iterator[Event]:
        while (event := self._events.get()) is not None and not self._leave.is_set():
            yield event

    def _draw(self) -> None:
        from rich.live import Live

        with Live(console=self._console, auto_refresh=False, transient=True) as screen:
            for event in self._told():
                screen.update(drawing(event, self._console.height), refresh=True)
                self._leave.wait(self._pace)

    def _print(self) -> None:
        for event in self._told():
            self._console.print(drawing(event))

    def _write(self) -> None:
        for event in self._told():
            print(f"{line(event)}\n\n{event.state.text()}", file=self._console.file or sys.stderr, flush=True)


def drawing(event: Event, height: int | None = None) -> RenderableType:
    """The board in a frame and what happened below it, in so many lines."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    headline, _, board = event.state.text().partition("\n")
    rows = board.strip("\n").splitlines()
    if height is not None:
        rows = _fitting(rows, height - _FRAME - 1)
    text = _tinted("\n".join(rows), event.state)
    style = "bold red" if isinstance(event, Kicked) else "bold green" if isinstance(event, Ended) else ""
    told = Text(line(event), style=style, no_wrap=True, overflow="ellipsis")
    title = Text(headline, style="bold")
    return Group(Panel(text, title=title, title_align="left", expand=False, padding=(0, 1)), told)


def _fitting(rows: list[str], most: int) -> list[str]:
    """A board that is too high loses its last rows, rather than the words below it that say who plays."""
    if len(rows) <= most:
        return rows
    end = rows.index("") if "" in rows else len(rows)
    kept = max(most - 1 - (len(rows) - end), 0)
    return [*rows[:kept], "…", *rows[end:]][: max(most, 1)]


def _tinted(board: str, state: State) -> Text:
    from rich.text import Text

    text = Text(board, no_wrap=True, overflow="ellipsis")
    text.highlight_regex(_EMPTY, "dim")
    text.highlight_regex(_ASKED, "bold")
    tints: dict[str, str] = getattr(state, "tints", dict)()
    for pattern, color in tints.items():
        text.highlight_regex(re.compile(pattern, re.MULTILINE), _STYLES.get(color, "bold"))
    return text
