"""The file that a newcomer to a game starts from."""

from __future__ import annotations

import shlex
from pathlib import Path

from referee.games.game import Game

# Beside this package, not found by importing: a folder `players` where the user stands must not take its place.
_STARTERS = Path(__file__).resolve().parents[1] / "players" / "starters"

# For a game that brings none: whatever the rules allow, the first of it.
_PLAINEST = '''"""My strategy for {game}."""


class Strategy:
{methods}'''
_METHOD = '''    def {name}(self, view):
        """One of view.legal_moves(); see `referee games` for what else is called."""
        return view.legal_moves()[0]
'''


def starter(game: Game, file: str) -> str:
    """The text of a commented file that plays legally; `file` is where it will be, for its examples."""
    path = _STARTERS / f"{game.name}.py"
    if not path.is_file():
        return _PLAINEST.format(game=game.name, methods="\n".join(_METHOD.format(name=name) for name in game.required))
    shown = shlex.quote(file.encode("utf-8", "replace").decode())
    if '"""' in shown or "\\" in shown:  # would end the docstring it stands in
        shown = "FILE"
    return path.read_text(encoding="utf-8").replace(" FILE", f" {shown}")
