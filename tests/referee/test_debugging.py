"""A player that is debugged plays as it would in its box: the same random numbers, of NumPy too."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.referee.table import source

CHANCE = "def movement(view): return view.legal_moves()[{} % len(view.legal_moves())]\n"


def told(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, ["play", "fish", "me=bot.py", "greedy", "--seed=5", "--json", *words])
    assert done.exit_code == 0, done.stderr
    return msgspec.json.decode(done.stdout, type=dict[str, Any])


@pytest.mark.parametrize(
    ("package", "draw"),
    [
        ("random", "random.randrange(100)"),
        pytest.param(
            "numpy",
            "int(numpy.random.randint(100))",
            marks=pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="NumPy is not installed"),
        ),
    ],
)
def test_who_is_debugged_draws_the_numbers_it_draws_in_its_box(
    package: str, draw: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(source("fish", f"import {package}\n" + CHANCE.format(draw)))
    allow = ["--allow", package] if package == "numpy" else []
    boxed = told(*allow)
    assert boxed["kicked"] == []
    assert told(*allow, "--debug", "me")["state"] == boxed["state"]


def test_who_exits_while_it_is_debugged_is_kicked_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(source("fish", "import sys\ndef movement(view): sys.exit(0)\n"))
    (kick,) = told("--debug", "me")["kicked"]
    assert (kick["verdict"], kick["method"], kick["detail"]) == ("exit", "movement", "SystemExit: 0")
    assert told()["kicked"][0]["detail"] == kick["detail"], "the same as in its box"


def test_who_exits_while_it_is_loaded_cannot_be_debugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("import sys\nsys.exit(0)\n")
    done = CliRunner().invoke(main, ["play", "fish", "me=bot.py", "greedy", "--debug", "me"])
    assert done.exit_code == 2
    assert "bot.py does not load" in done.stderr
