"""A made class: submissions of every kind, and what each must be given, to the point."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import msgspec

COURSE = """\
title = "A made class"
game = "fish"
seed = 11

[config]
rows = 4
columns = 4

[limits]
time = 0.25
wall = 3
setup_time = 1
memory = "64M"

[rubric]
total = 100

[[rubric.check]]
kind = "admitted"
points = 40
loads = 10

[[rubric.check]]
kind = "beats"
opponent = "opponent.py"
games = {games}
points = 30
bands = [{{ rate = 0.45, points = 15 }}, {{ rate = 0.7, points = 30 }}]

[[rubric.check]]
kind = "speed"
points = 20
bands = [{{ ms = 10, points = 20 }}]
visibility = "hidden"

[[rubric.check]]
kind = "memory"
points = 10
bands = [{{ mb = 24, points = 10 }}]
"""

_FIRST = """\
class Strategy:
    def placement(self, view):
        return view.free_tiles()[0]
    def movement(self, view):
        return view.legal_moves()[0]
"""
OPPONENT = _FIRST
_GOOD = _FIRST.replace("view.legal_moves()[0]", "max(view.legal_moves(), key=view.fish_gained)").replace(
    "view.free_tiles()[0]", "max(view.free_tiles(), key=lambda tile: view.board[tile[0]][tile[1]])"
)


def _before_moving(statement: str, source: str = _FIRST) -> str:
    before, movement, after = source.rpartition("        return ")
    return f"{before}        {statement}\n{movement}{after}"


class Kind(msgspec.Struct, frozen=True):
    """One kind of submission: what is handed in, and the points of each check."""

    source: str
    points: tuple[float, ...]
    name: str = "strategy.py"

    @property
    def total(self) -> float:
        return sum(self.points)


_NOTHING = (0.0, 0.0, 0.0, 0.0)
_LOADS = (10.0, 0.0, 0.0, 0.0)
_ALL = (40.0, 30.0, 20.0, 10.0)
KINDS = {
    "honest": Kind(_GOOD, _ALL),
    "weak": Kind(_FIRST, (40.0, 15.0, 20.0, 10.0)),
    "slow": Kind(_before_moving("sum(range(4_500_000))", _GOOD), (40.0, 30.0, 0.0, 10.0)),
    "crashing": Kind(_FIRST.replace("view.legal_moves()[0]", "{}['move']"), _LOADS),
    "cheating": Kind(_FIRST.replace("view.legal_moves()[0]", "[[0, 0], [99, 99]]"), _LOADS),
    "empty": Kind("", _NOTHING),
    "misspelt": Kind(_FIRST.replace("Strategy", "Stratagem"), _NOTHING),
    "misnamed": Kind(_GOOD, _ALL, name="my final bot.py"),
    "zipped": Kind(_GOOD, _ALL, name="work.zip"),
    "duplicated": Kind(_GOOD, _ALL),
    "endless": Kind(_FIRST.replace("return view.legal_moves()[0]", "while True: pass"), _LOADS),
    "asleep": Kind("import time\n" + _FIRST.replace("view.legal_moves()[0]", "time.sleep(60)"), _LOADS),
    "hungry": Kind(_FIRST.replace("view.legal_moves()[0]", "bytearray(10 << 30)"), _LOADS),
    "talkative": Kind(_before_moving("[print('x' * (1 << 20)) for _ in range(100)]"), _LOADS),
    "leaving": Kind("import os\n" + _FIRST.replace("view.legal_moves()[0]", "os._exit(0)"), _LOADS),
    "forking": Kind("import os\n" + _before_moving("os.fork()"), _LOADS),
}


def hand_out(folder: Path, count: int) -> dict[str, Kind]:
    """So many students' work in a folder, each in a folder of the student's name; who handed in which kind."""
    whose: dict[str, Kind] = {}
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        student = f"{kind}-{number:02}"
        whose[student] = KINDS[kind]
        place = folder / student
        place.mkdir(parents=True)
        # A comment makes each file one of its own; duplicates are duplicates.
        source = KINDS[kind].source
        source += "" if kind in ("duplicated", "empty") else f"\n# {student}\n"
        if KINDS[kind].name.endswith(".zip"):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                archive.writestr(f"{student}/strategy.py", source)
                archive.writestr(f"__MACOSX/{student}/._strategy.py", b"\0\5")
            (place / KINDS[kind].name).write_bytes(packed.getvalue())
        else:
            (place / KINDS[kind].name).write_text(source)
    return whose


def course(folder: Path, games: int) -> Path:
    folder.mkdir()
    (folder / "course.toml").write_text(COURSE.format(games=games))
    (folder / "opponent.py").write_text(OPPONENT)
    return folder
