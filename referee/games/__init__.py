"""The registry: finds a game by its name, here or in another installed package.

A game is a package that holds `game` (see `referee.games.game.Game`) and `adapter()`. Those in this folder
are found by being here; any other is announced by an entry point of the group "referee.games" whose value is
the package's dotted name. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import cast

from referee.games.game import Game

GROUP = "referee.games"


def names() -> tuple[str, ...]:
    """Every game that can be played here, in alphabetical order."""
    return tuple(sorted(_packages()))


def package(name: str) -> str:
    """The dotted name of the package that holds a game, without importing it."""
    packages = _packages()
    if name not in packages:
        raise ValueError(f"there is no game {name!r}; the games here are {', '.join(sorted(packages))}")
    return packages[name]


def get(name: str) -> Game:
    """The rules of the game called `name`."""
    return cast(Game, importlib.import_module(package(name)).game)


@functools.cache  # looking through every installed package takes milliseconds; `_packages.cache_clear()` looks again
def _packages() -> dict[str, str]:
    # Slow to import, and `from referee.games import fish` inside a box has no use for it.
    from importlib.metadata import entry_points

    found = {point.name: point.value for point in entry_points(group=GROUP)}
    # Our own come last, so that no other package can put itself in the place of one of them.
    own = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    return found | {name: f"{__name__}.{name}" for name in own}
