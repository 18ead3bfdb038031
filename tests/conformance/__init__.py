"""Pairs of input and expected output, and the harnesses that run them.

A file `<game>-<harness>.jsonl` holds a pair a line, {"id", "in": [values], "out": [values]}. The module of
that game here lists its harnesses in `HARNESSES`: each takes a pair's "in" and returns what "out" should be.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sandbox import BoxError

Harness = Callable[[list[Any]], list[Any]]


class Outcome(NamedTuple):
    """What became of one pair; `problem` is None when it passed."""

    id: str
    problem: str | None


def harness_of(file: Path) -> Harness:
    """The harness a file's name asks for; a ValueError says what is wrong with the name."""
    game, dash, name = file.name.removesuffix(".jsonl").partition("-")
    if not dash or not game.isidentifier():
        raise ValueError(f"{file.name} should be called <game>-<harness>.jsonl")
    module = f"{__name__}.{game}"
    try:
        harnesses: dict[str, Harness] = importlib.import_module(module).HARNESSES
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise ValueError(f"{file.name}: there are no harnesses for a game called {game}") from None
    if name not in harnesses:
        raise ValueError(f"{file.name}: {game} has no harness {name}, only {', '.join(sorted(harnesses))}")
    return harnesses[name]


def run(file: Path) -> Iterator[Outcome]:
    """The outcome of each pair of a file, in order; raises BoxError if it needs boxes and there can be none."""
    harness = harness_of(file)
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _judge(harness, line, f"line {number}")


def _judge(harness: Harness, line: str, where: str) -> Outcome:
    try:
        pair = json.loads(line)
        given, expected = pair["in"], pair["out"]
        where = str(pair.get("id", where))
    except (ValueError, KeyError, TypeError, AttributeError):
        return Outcome(where, 'not a pair: {"id", "in": [values], "out": [values]}')
    try:
        got = harness(given)
    except BoxError:  # no boxes to be had: that is true of the whole file
        raise
    except Exception as error:  # one broken pair must not hide the others
        return Outcome(where, f"expected {_plain(expected)}\n  raised {type(error).__name__}: {error}")
    # As text, because Python thinks that true equals 1 and 1.0.
    if _plain(got) == _plain(expected):
        return Outcome(where, None)
    return Outcome(where, f"expected {_plain(expected)}\n  got      {_plain(got)}")


def _plain(values: Any) -> str:
    return json.dumps(values, sort_keys=True)
