"""The players of the Q harnesses, honest and scripted to misbehave, as the source of strategy files.

Text and not classes, because a file is what a worker is given: each is a reference strategy's own source, and
below it a `Strategy` that spoils it.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from players import q as references

_REFERENCES = Path(references.__path__[0])

FOREVER = "while True: pass"
METHODS = {"setup": "setup", "take-turn": "take_turn", "new-tiles": "new_tiles", "win": "game_over"}

_RAISES = """

class Strategy(Strategy):
    def {method}(self, view):
        raise RuntimeError("scripted to fail in {method}")
"""

_LOOPS = """

class Strategy(Strategy):
    calls = 0

    def {method}(self, view):
        self.calls += 1
        if self.calls == {count}:
            {endless}
        honest = getattr(super(), "{method}", None)
        return honest(view) if honest else None
"""

_ANSWERS = """

class Strategy(Strategy):
    def take_turn(self, view):
        return {answer}
"""

_CHEATS = """

class Strategy(Strategy):
    def take_turn(self, view):
        return cheat(view) or super().take_turn(view)

"""

_CHEAT = {
    "non-adjacent-coordinate": """
def cheat(view):
    beyond = max(row for row, _ in view.map) + 2
    return (((beyond, 0), (view.hand or q.KINDS)[0]),)
""",
    "tile-not-owned": """
def cheat(view):
    missing = [tile for tile in q.KINDS if tile not in view.hand]
    if not missing:
        return None
    fitting = [((place, tile),) for tile in missing for place in view.map.places_for(tile)]
    return fitting[0] if fitting else (((0, 0), missing[0]),)
""",
    "bad-ask-for-tiles": """
def cheat(view):
    return q.EXCHANGE if view.pile < len(view.hand) else None
""",
    "no-fit": """
def cheat(view):
    for row, column in view.map:
        for place in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
            for tile in view.hand:
                if place not in view.map and not view.map.fits(tile, place):
                    return ((place, tile),)
    return None
""",
    "not-a-line": """
def cheat(view, begun=()):
    for move in view.legal_moves():
        if move in (q.EXCHANGE, q.PASS):
            continue
        longer = begun + move
        if len({row for (row, _), _ in longer}) > 1 and len({column for (_, column), _ in longer}) > 1:
            return longer
        found = cheat(view.after(move), longer)
        if found:
            return found
    return None
""",
}

_MISSPELT = "[{'coordinat': {'row': 0, 'column': 1}, '1tile': {'color': 'red', 'shape': 'star'}}]"
_TRUNCATED = "' ' * 4095 + '[[[0, 1], [\"star\", '"

# What is not JSON cannot be said with a return value: those clients fail in their call instead.
_HOSTILE = {
    "nonSetup": _RAISES.format(method="setup"),
    "nonNewTiles": _RAISES.format(method="new_tiles"),
    "nonWin": _RAISES.format(method="game_over"),
    "illTT": _ANSWERS.format(answer=_TRUNCATED),
    "invTTBadString": _ANSWERS.format(answer=_MISSPELT),
}


def source(strategy: str, *script: Any, endless: str = FOREVER) -> str:
    """The file of a player: "dag", or "dag", "setup", or "dag", "setup", 2, or "dag", "a cheat", "no-fit"."""
    honest = _reference(strategy)
    match script:
        case ():
            return honest
        case ("a cheat", kind):
            return honest + _CHEATS + _CHEAT[kind]
        case (method,):
            return honest + _RAISES.format(method=METHODS[method])
        case (method, int() as count):
            return honest + _LOOPS.format(method=METHODS[method], count=count, endless=endless)
    raise ValueError(f"no player is scripted {script}")


def is_honest(text: str) -> bool:
    """Whether it is a reference strategy's own source, with nothing below it."""
    return any(text == _reference(path.stem) for path in _REFERENCES.glob("[a-z]*.py"))


@functools.cache
def _reference(strategy: str) -> str:
    return (_REFERENCES / f"{strategy}.py").read_text(encoding="utf-8")


def hostile_source(name: str, strategy: str, *script: Any, endless: str = FOREVER) -> str:
    """The file of a client that may be one of those told apart by their names."""
    return source(strategy, *script, endless=endless) + _HOSTILE.get(name, "")


def in_process(text: str) -> object:
    """A fresh strategy from a file's source."""
    namespace: dict[str, Any] = {"__name__": "strategy"}
    exec(compile(text, "strategy.py", "exec"), namespace)
    strategy: object = namespace["Strategy"]()
    return strategy
