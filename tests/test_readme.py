"""The README is true: its commands are the ones that are run, its example works."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import zipfile
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


def commands(section: str) -> list[list[str]]:
    """The commands of a section's console block, without what is said of them."""
    block = README.split(f"\n## {section}\n")[1].split("```console\n")[1].split("```")[0]
    return [shlex.split(line[2:], comments=True) for line in block.splitlines() if line.startswith("$ ")]


def ran(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{shlex.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def test_the_readmes_tournament_can_be_held(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "players" / "examples", tmp_path / "submissions")
    hold, *others = commands("Tournaments")
    assert "1 " in ran(hold, tmp_path)
    for words in others:
        ran(words, tmp_path)


def test_the_readmes_course_can_be_given(tmp_path: Path) -> None:
    shutil.copy(ROOT / "players" / "examples" / "honest.py", tmp_path / "my_bot.py")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as export:
        export.write(ROOT / "players" / "fish" / "greedy.py", "bob/strategy.py")
    for words in commands("For an instructor"):
        ran(words, tmp_path)
        if words[1] == "course":
            sheet = (tmp_path / "autumn" / "course.toml").read_text()
            (tmp_path / "autumn" / "course.toml").write_text(sheet.replace("games = 40", "games = 4"))
            shutil.copy(tmp_path / "autumn" / "course.toml", tmp_path / "rubric.toml")
    assert (tmp_path / "results" / "ann" / "gradescope" / "results.json").is_file()
    assert zipfile.is_zipfile(tmp_path / "autograder.zip")
