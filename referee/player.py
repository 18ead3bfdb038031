"""Who sits at the table: a stranger in a box, a trusted strategy in this process, a person at the terminal.

All are asked through `Player.ask`, and all fail in one way: by Misconduct, with a verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from referee.games.game import Game
from sandbox import Budget, Ending, Misconduct, Usage, Verdict, Worker, claims

_FAREWELL = Budget(cpu=0.2, wall=1.0)  # for `kicked(reason)`


class Player(Protocol):
    """Somebody who can be asked."""

    name: str

    @property
    def usage(self) -> Usage: ...  # in all

    @property
    def last(self) -> Usage: ...  # for the last answer

    @property
    def output(self) -> str: ...

    def defines(self, method: str) -> bool: ...

    def ask(self, method: str, view: Any, reply: Any, budget: Budget) -> Any: ...  # raises Misconduct

    def leave(self, verdict: Verdict | None = None) -> None: ...  # told why, if it can still hear; then gone


class Boxed:
    """A stranger, in a worker of its own."""

    def __init__(self, name: str, worker: Worker) -> None:
        self.name = name
        self._worker = worker

    @property
    def usage(self) -> Usage:
        return self._worker.usage

    @property
    def last(self) -> Usage:
        return self._worker.last

    @property
    def output(self) -> str:
        return self._worker.output

    def defines(self, method: str) -> bool:
        return method in self._worker.methods

    def ask(self, method: str, view: Any, reply: Any, budget: Budget) -> Any:
        return self._worker.call(method, view, budget=budget, reply=reply)

    def leave(self, verdict: Verdict | None = None) -> None:
        try:
            if verdict is not None and self._worker.alive and self.defines("kicked"):
                self._worker.call("kicked", str(verdict), budget=_FAREWELL, reply=None)
        except Misconduct:
            pass  # it is out already
        finally:
            self._worker.kill()


class Trusted:
    """A strategy that runs in this very process, unmetered: for tests, debugging, and as a yardstick.

    `Entrant("a", sit=Trusted.seat(strategy))` brings one to a table.
    """

    @classmethod
    def seat(cls, strategy: Any) -> Callable[[str, Game], Trusted]:
        return lambda name, game: cls(name, strategy, game)

    def __init__(self, name: str, strategy: Any, game: Game) -> None:
        self.name = name
        self.output = ""
        self._strategy = strategy
        self._plain = plain_form(game)
        self._cpu = self._wall = 0.0
        self.last = Usage(0.0, 0.0, 0, 0)

    @property
    def usage(self) -> Usage:
        return Usage(self._cpu, self._wall, 0, 0)

    def defines(self, method: str) -> bool:
        return callable(getattr(self._strategy, method, None))

    def ask(self, method: str, view: Any, reply: Any, budget: Budget) -> Any:
        cpu, wall = time.process_time(), time.monotonic()
        try:
            answer = getattr(self._strategy, method)(view)
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
            raise Misconduct(Verdict.of(Ending.EXCEPTION, detail, method)) from error
        finally:
            self.last = Usage(time.process_time() - cpu, time.monotonic() - wall, 0, 0)
            self._cpu += self.last.cpu
            self._wall += self.last.wall
        if reply is None:
            return None
        try:
            return msgspec.convert(self._plain(method, answer), reply)
        except msgspec.ValidationError as misfit:
            raise Misconduct(claims.of_misfit(method, reply, str(misfit))) from None

    def leave(self, verdict: Verdict | None = None) -> None:
        if verdict is not None and self.defines("kicked"):
            try:
                self._strategy.kicked(str(verdict))
            except Exception:
                return  # it is out already


def plain_form(game: Game) -> Any:
    """How answers of this game become plain data: what its adapter does inside a box."""
    import importlib

    from referee.games import package

    return importlib.import_module(package(game.name)).adapter().answer
