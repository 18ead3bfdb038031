"""A tournament as it goes on, in the terminal: how far, how fast, how long still, and who leads."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.tournament.tournament import Tournament

_PACE = 0.25  # seconds between two looks on a terminal
_LINE_EVERY = 10.0  # seconds between two lines where there is none
_SHOWN = 15  # players


class Looking:
    """Told after each match. Draws in the caller's own thread: lanes are started from it at any time."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False)
        self._screen: Any = None
        self._begun = self._drawn = time.monotonic()
        self._before = -1  # matches that were there when we began

    def __enter__(self) -> Looking:
        if self._console.is_terminal:
            from rich.live import Live

            self._screen = Live(console=self._console, auto_refresh=False, transient=True)
            self._screen.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._screen is not None:
            self._screen.__exit__(kind, error, trace)

    def note(self, text: str) -> None:
        if text:
            self._console.print(text, markup=False, soft_wrap=True)

    def __call__(self, tournament: Tournament) -> None:
        now = time.monotonic()
        if self._before < 0:
            self._before, self._begun = tournament.done - 1, now
            for player, kick in tournament.broken().items():
                self.note(f"{player} does not load, and is kicked whenever it plays: {kick.detail or kick.verdict}")
        if now - self._drawn < (_LINE_EVERY if self._screen is None else _PACE):
            return
        self._drawn = now
        if self._screen is None:
            print(self._progress(tournament, now), file=sys.stderr, flush=True)
        else:
            self._screen.update(self._picture(tournament, now), refresh=True)

    def _progress(self, tournament: Tournament, now: float) -> str:
        done, total = tournament.done, tournament.scheduled
        rate = (done - self._before) / max(now - self._begun, 1e-3)
        left = (total - done) / rate if rate else 0.0
        minutes, seconds = divmod(round(left), 60)
        void = f", {tournament.table.void} void" if tournament.table.void else ""
        return f"{done} of {total} matches{void}, {rate:.1f} a second, {minutes}:{seconds:02} left"

    def _picture(self, tournament: Tournament, now: float) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        for heading in ("", "player", "points", "wins", "draws", "losses", "kicks"):
            table.add_column(heading, justify="left" if heading == "player" else "right")
        leaders = tournament.table.live()[:_SHOWN]
        for place, row in enumerate(leaders, 1):
            cells = (place, row.player, f"{row.points:.1f}", row.wins, row.draws, row.losses, sum(row.kicks.values()))
            table.add_row(*(Text(str(cell)) for cell in cells))
        width = min(60, self._console.width)
        bar = ProgressBar(total=max(tournament.scheduled, 1), completed=tournament.done, width=width)
        # A bar does not end its line: whatever follows, it is not what one looks for.
        return Group(Text(self._progress(tournament, now)), bar, Text(), Text(), table)
