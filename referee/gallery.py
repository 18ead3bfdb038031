"""Observers at a distance: each behind a bounded queue of its own, dropped when it raises or falls behind."""

from __future__ import annotations

import queue
import threading
import time
import warnings
from collections.abc import Iterable

from referee.events import Event, Observer

_ROOM = 10_000  # events an observer may be behind
_PATIENCE = 2.0  # seconds all may take to finish when the game has ended


class Gallery:
    """Those who look on at one game; tells them without ever waiting for one."""

    def __init__(self, observers: Iterable[Observer]) -> None:
        self._seats = [_Seat(observer) for observer in observers]

    def __bool__(self) -> bool:
        """Whether anybody looks on."""
        return bool(self._seats)

    def tell(self, event: Event) -> None:
        for seat in self._seats:
            seat.tell(event)

    def close(self) -> None:
        """Wait, but not long, until everybody has seen the end."""
        until = time.monotonic() + _PATIENCE
        for seat in self._seats:
            seat.tell(None)
        for seat in self._seats:
            seat.close(max(0.0, until - time.monotonic()))


class _Seat:
    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._events: queue.Queue[Event | None] = queue.Queue(_ROOM)
        self._dropped = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def tell(self, event: Event | None) -> None:
        if not self._dropped:
            try:
                self._events.put_nowait(event)
            except queue.Full:
                self._drop("it is too far behind")

    def close(self, patience: float) -> None:
        self._thread.join(0 if self._dropped else patience)
        if self._thread.is_alive() and not self._dropped:
            self._drop("it hangs")

    def _listen(self) -> None:
        while (event := self._events.get()) is not None and not self._dropped:
            try:
                self._observer(event)
            except BaseException as error:  # SystemExit too: it would end the thread without a word
                self._drop(f"{type(error).__name__}: {error}")
                return

    def _drop(self, why: str) -> None:
        self._dropped = True
        name = getattr(self._observer, "__qualname__", type(self._observer).__qualname__)  # its repr may raise
        warnings.warn(f"the observer {name} was dropped: {why}", RuntimeWarning, stacklevel=2)
