"""A game as it is played, in the terminal: the board drawn again after each event, at a pace one can follow."""

from __future__ import annotations

import queue
import sys
import threading
from typing import TYPE_CHECKING

from referee.events import Event
from referee.observers import line

if TYPE_CHECKING:
    from rich.console import Console

PACE = 0.3  # seconds a board stays


class Watch:
    """An observer. Draws in its own time, and only on leaving `with Watch() as watch:` waits until all was shown.

    Where there is no terminal, or `live` is not wanted because somebody types into it, it writes plain text.
    """

    def __init__(self, console: Console | None = None, *, live: bool = True, pace: float = PACE) -> None:
        from rich.console import Console

        self._console = console or Console(stderr=True, highlight=False)
        self._live = live and self._console.is_terminal
        self._pace = pace
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._leave = threading.Event()
        self._thread = threading.Thread(target=self._draw if self._live else self._write, daemon=True)

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

    def _draw(self) -> None:
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        with Live(console=self._console, auto_refresh=False, transient=True) as screen:
            while (event := self._events.get()) is not None and not self._leave.is_set():
                screen.update(Group(Text(event.state.text()), Text(line(event))), refresh=True)
                self._leave.wait(self._pace)

    def _write(self) -> None:
        while (event := self._events.get()) is not None and not self._leave.is_set():
            print(f"{line(event)}\n\n{event.state.text()}", file=self._console.file or sys.stderr, flush=True)
