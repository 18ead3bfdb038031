"""Games are found by name, in this repository or in any other package, and imported only when asked for."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import games
from tests.conformance.table import play

# A whole game in few lines: whoever names the higher number wins.
HIGHER = """
from typing import Any, NamedTuple
import msgspec
from referee.games.game import Adapter, Ask, Illegal, Outcome


class View(msgspec.Struct, frozen=True):
    me: str


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    highest: int = 10


class State(NamedTuple):
    players: tuple[str, ...]
    highest: int
    named: tuple[int, ...] = ()
    kicked: tuple[str, ...] = ()

    @property
    def is_over(self): return len(self.named) == 2
    def ask(self):
        if self.is_over: return None
        player = self.players[len(self.named)]
        return Ask(player, "name_one", View(player), int)
    def commit(self, action):
        if type(action) is not int or not 0 <= action <= self.highest: raise Illegal("a number up to the highest")
        return self._replace(named=(*self.named, action))
    def kick(self, player): return self._replace(named=(*self.named, -1), kicked=(*self.kicked, player))
    def ranking(self):
        scores = dict(zip(self.players, self.named))
        live = [p for p in self.players if p not in self.kicked]
        return [{p for p in live if scores[p] == s} for s in sorted({scores[p] for p in live}, reverse=True)]


class Higher:
    name = "higher"
    seats = range(2, 3)
    config = Config
    required = ("name_one",)
    optional = ()
    def setup(self, players, config=None, seed=0): return State(tuple(players), (config or Config()).highest)


game = Higher()
def adapter(): return Adapter({"name_one": View}, lambda method, answer: answer)
"""


class Says:
    def __init__(self, number: object) -> None:
        self.number = number

    def name_one(self, view: object) -> object:
        return self.number


@pytest.fixture
def fourth_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Another package, installed as pip would leave it."""
    (tmp_path / "higher_game.py").write_text(HIGHER, encoding="utf-8")
    info = tmp_path / "higher_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: higher-game\nVersion: 1.0\n", encoding="utf-8")
    points = "[referee.games]\nhigher = higher_game\nfish = higher_game\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "higher_game", raising=False)
    games._packages.cache_clear()
    yield "higher"
    games._packages.cache_clear()


def test_the_three_games_are_found_by_name() -> None:
    assert {"fish", "q", "tsuro"} <= set(games.names())
    for name in ("fish", "q", "tsuro"):
        assert games.get(name).name == name
        assert games.package(name) == f"referee.games.{name}"


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no game 'chess'.*fish"):
        games.get("chess")


def test_a_fourth_game_of_another_package_is_found_and_played(fourth_game: str) -> None:
    assert fourth_game in games.names()
    state = games.get(fourth_game).setup(["a", "b"])
    assert play(state, {"a": Says(3), "b": Says(4)}).ranking() == [{"b"}, {"a"}]
    assert play(state, {"a": Says(3), "b": Says("four")}).ranking() == [{"a"}]


def test_another_package_cannot_take_the_place_of_a_game_here(fourth_game: str) -> None:
    assert games.package("fish") == "referee.games.fish"


def test_importing_one_game_imports_no_other() -> None:
    code = (
        "import sys; from referee.games import fish; "
        "assert not [name for name in sys.modules if name.startswith(('referee.games.q', 'referee.games.tsuro'))]; "
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
