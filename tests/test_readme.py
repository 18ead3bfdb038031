"""The README is true: its commands are the ones that are run, its example works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def test_the_readmes_test_command_is_the_one_that_ci_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    for command in blocks("sh")[1].strip().split(" && "):
        assert command in script


def test_the_readmes_first_command_shows_the_doctor() -> None:
    assert blocks("sh")[0].strip().endswith("referee doctor")
    shown = subprocess.run(
        [sys.executable, "-m", "referee", "doctor"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert shown.returncode == 0, shown.stdout
    picture = re.findall(r"^```\n(.*?)^```", README, re.M | re.S)[0]
    for line in picture.splitlines()[2:]:
        word = line.split()[0] if line.split() else ""
        if line.startswith(" ") and not line.startswith("  ") and word.isalpha():
            assert word in shown.stdout


def test_the_readmes_example_runs(tmp_path: Path) -> None:
    for number, block in enumerate(blocks("python")):
        script = tmp_path / f"example{number}.py"
        script.write_text(block)
        done = subprocess.run(
            [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("4\nUsage(")


def test_the_limits_table_states_the_defaults() -> None:
    from sandbox import Budget, KiB, Limits, MiB

    limits = Limits()
    assert (limits.memory, limits.threads, limits.descriptors) == (256 * MiB, 32, 64)
    assert (limits.scratch, limits.output_kept, limits.output) == (16 * MiB, 64 * KiB, 64 * MiB)
    assert (limits.load.cpu, limits.frame) == (10.0, 1 * MiB)
    assert (Budget().cpu, Budget().deadline) == (5.0, 11.0)
