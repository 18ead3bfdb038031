"""The README is true: its commands are the ones that are run, its example works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language; the picture of the first command's output has none."""
    found: list[str] = []
    fence: str | None = None
    for line in README.splitlines(keepends=True):
        if line.startswith("```"):
            fence = line[3:].strip() if fence is None else None
            if fence == language:
                found.append("")
        elif fence == language:
            found[-1] += line
    return found


def test_the_readmes_test_command_is_the_one_that_ci_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    for command in blocks("sh")[1].strip().split(" && "):
        assert command in script


def test_the_readmes_first_command_plays_the_game_it_shows() -> None:
    command = blocks("sh")[0].strip().split(" && ")[-1]
    words = command.split("bin/referee ")[1].split()
    shown = subprocess.run(
        [sys.executable, "-m", "referee", *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert shown.returncode == 0, shown.stderr
    alike = [line for line in blocks("")[0].splitlines() if "kicked" in line or "Fish, done" in line]
    assert len(alike) >= 3
    for line in alike:
        assert line in shown.stdout


def test_the_readmes_example_of_the_box_runs(tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(next(block for block in blocks("python") if "Zygote" in block))
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4\nUsage(")


def test_the_readmes_strategy_is_admitted(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(next(block for block in blocks("python") if "Strategy" in block))
    done = subprocess.run(
        [sys.executable, "-m", "referee", "check", "fish", str(tmp_path / "my_bot.py")],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_every_command_the_readme_names_exists() -> None:
    from click.testing import CliRunner

    from referee.cli import main

    prose = re.sub(r"^```.*?^```", "", README, flags=re.M | re.S)
    named = set(re.findall(r"`referee ([a-z]+)", prose) + re.findall(r"^\$ referee ([a-z]+)", README, re.M))
    assert named >= {"new", "check", "play", "replay", "reproduce", "doctor", "games", "players"}
    for command in named:
        assert CliRunner().invoke(main, [command, "--help"]).exit_code == 0, command


def test_the_limits_table_states_the_defaults() -> None:
    from sandbox import Budget, KiB, Limits, MiB

    limits = Limits()
    assert (limits.memory, limits.threads, limits.descriptors) == (256 * MiB, 32, 64)
    assert (limits.scratch, limits.output_kept, limits.output) == (16 * MiB, 64 * KiB, 64 * MiB)
    assert (limits.load.cpu, limits.frame) == (10.0, 1 * MiB)
    assert (Budget().cpu, Budget().deadline) == (5.0, 11.0)
