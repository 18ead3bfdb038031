"""The rules of games touch no clock, file, process or other room, and draw luck only from a seed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee.games

FOLDER = Path(referee.games.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))

# All that pure rules need. Whoever wants more must say here why it is still pure.
ALLOWED = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "fractions", "functools", "heapq",
    "html", "itertools", "math", "operator", "random", "re", "string", "types", "typing", "unicodedata",
    "msgspec",
}  # fmt: skip
REGISTRY = {"importlib", "pkgutil"}  # it finds packages, and does nothing else
FORBIDDEN_CALLS = {"open", "print", "input", "exec", "eval", "compile", "__import__"}


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they lead"
            # `from random import choice` is the global generator under another name.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def impurities(source: str, allowed: set[str]) -> list[str]:
    tree = ast.parse(source)
    imported = list(imports(tree))
    found = []
    for name in imported:
        top = name.partition(".")[0]
        if top not in allowed and not name.startswith("referee.games"):
            found.append(f"imports {name}")
        if top == "random" and name not in ("random", "random.Random"):
            found.append(f"imports {name}, which draws from the global generator")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            found.append(f"calls {node.func.id}")
        if (
            "random" in imported
            and isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "random"
            and node.attr != "Random"
        ):
            found.append(f"draws from the global generator with random.{node.attr}")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_a_module_of_the_rules_is_pure(file: Path) -> None:
    allowed = ALLOWED | (REGISTRY if file == FOLDER / "__init__.py" else set())
    assert impurities(file.read_text(encoding="utf-8"), allowed) == []


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import time",
        "from sandbox import worker",
        "import players.fish",
        "from referee import record",
        "import random\nrandom.choice([1])",
        "from random import choice",
        "open('x')",
        "def f():\n    import socket",
    ],
)
def test_impure_code_is_noticed(source: str) -> None:
    assert impurities(source, ALLOWED)


def test_a_games_package_does_not_reach_into_another() -> None:
    games = [folder for folder in FOLDER.iterdir() if (folder / "__init__.py").exists()]
    assert len(games) >= 3
    for game in games:
        others = [f"referee.games.{other.name}" for other in games if other != game]
        for file in game.rglob("*.py"):
            for name in imports(ast.parse(file.read_text(encoding="utf-8"))):
                assert not name.startswith(tuple(others)), f"{file} imports {name}"
