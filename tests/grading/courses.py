"""What the tests of the course desk share: a course on the disk, files to hand in, and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner, Result

from referee.cli import main
from tests.referee.table import source

HONEST = source("fish")
CRASHES = source("fish", "def movement(view): return {}[0]\n")

COURSE = """\
title = "Autumn"
game = "fish"

[config]
rows = 4
columns = 4
holes = 0

[limits]
time = 1
wall = 5
"""


def course(folder: Path, *more: str, base: str = COURSE) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "course.toml").write_text("\n".join([base, *more]))
    return folder


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def told(*words: object, code: int = 0) -> Any:
    """What a command prints as JSON."""
    done = run(*words, "--json")
    assert done.exit_code == code, done.output
    return msgspec.json.decode(done.stdout)
