"""The arrows between the rooms, the one door to a stranger, and what must never be in the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = {"sandbox": {"referee", "players"}, "referee/games": {"sandbox", "players"}, "players": {"sandbox"}}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py") if "hostile" not in path.parts)


@pytest.mark.parametrize("room", sorted(FORBIDDEN))
def test_a_room_imports_only_along_the_arrows(room: str) -> None:
    wrong = {str(path): bad for path in sources(room) if (bad := imports(path) & FORBIDDEN[room])}
    assert not wrong


def test_nothing_from_a_worker_is_ever_unpickled() -> None:
    """One unpickling runs in the worker itself, on what came in; the other in a lane, on what its supervisor packed."""
    unpickling = re.compile(r"pickle\.loads?\(|Unpickler|\.recv\(\)|marshal\.loads?|shelve\.|\beval\(")
    places = {path.name for path in sources("sandbox", "referee") if unpickling.search(path.read_text())}
    assert places == {"inside.py", "lanes.py"}


def test_only_one_module_makes_raw_system_calls() -> None:
    users = {path.name for path in sources("sandbox", "referee") if "ctypes" in imports(path)}
    assert users == {"syscalls.py"}


def test_every_module_opens_with_what_it_is_for() -> None:
    bare = [str(path) for path in sources("sandbox", "referee", "players", "bench", "tests") if path.read_text().strip()
            and not ast.get_docstring(ast.parse(path.read_text()))]  # fmt: skip
    assert not bare
