"""One player outside any box, so that its author can stop it and look: `breakpoint()` works. Never for strangers."""

from __future__ import annotations

import bdb
import contextlib
import importlib
import random
import sys
import traceback
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.entrants import references
from referee.games.game import Game
from referee.match import Entrant, derived
from referee.player import Trusted
from sandbox import Budget, Ending, Misconduct, Submission, Verdict


class Debugged(Trusted):
    """Unmetered, in this process: what it prints appears at once, and what it raises is shown whole."""

    def ask(self, method: str, view: Any, reply: Any, budget: Budget) -> Any:
        try:
            with contextlib.redirect_stdout(sys.stderr):  # the debugger's words too; stdout is for results
                return super().ask(method, view, reply, budget)
        except SystemExit as error:  # as in a box, it ends the player, not the game
            raise Misconduct(Verdict.of(Ending.EXIT, f"SystemExit: {error}", method)) from error
        except Misconduct as misconduct:
            if isinstance(misconduct.__cause__, bdb.BdbQuit):
                raise KeyboardInterrupt from None  # who leaves the debugger wants the game to stop
            if misconduct.__cause__ is not None:
                traceback.print_exception(misconduct.__cause__)
            raise

    def leave(self, verdict: Verdict | None = None) -> None:
        with contextlib.redirect_stdout(sys.stderr):
            super().leave(verdict)


def in_process(game: Game, entrant: Entrant, seed: int, seat: int, allow: Iterable[str] = ()) -> Entrant:
    """The same player, to be asked in this process. Whatever its file raises when it is loaded comes out."""
    source = entrant.source
    assert isinstance(source, Submission)
    known = references(game.name).get(entrant.given.partition(":")[0])
    place = Path(known or entrant.given).resolve()
    path = place / source.entry if source.is_folder else place
    if source.is_folder:
        sys.path.insert(0, str(place))
    _seeded(derived(seed, "player", seat), allow)
    module = types.ModuleType("strategy")
    module.__file__ = str(path)
    sys.modules["strategy"] = module
    with contextlib.redirect_stdout(sys.stderr):
        exec(compile(source.source, str(path), "exec", dont_inherit=True), module.__dict__)
        strategy: Any = getattr(module, "Strategy", None)
        strategy = module if strategy is None else strategy(**entrant.parameters)
    return Entrant(
        entrant.name,
        source,
        given=entrant.given,
        parameters=entrant.parameters,
        sit=lambda name, game: Debugged(name, strategy, game),
    )


def _seeded(seed: int, allow: Iterable[str]) -> None:
    """The generators as they are in a box, where the packages that are allowed are imported first."""
    for name in allow:
        with contextlib.suppress(ImportError):  # of one that is not installed, others complain
            importlib.import_module(name)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed & 0xFFFFFFFF)
