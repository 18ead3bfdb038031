"""Every pair we have must come out as it says: our own always, the shared ones where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance import run
from tests.conformance.__main__ import main
from tests.conformance.table import close


@pytest.fixture(scope="module", autouse=True)
def _boxes() -> Iterator[None]:
    yield
    close()


OWN = Path(__file__).parent / "pairs"
SHARED = Path(__file__).parents[2].parent / "shared" / "conformance"

HARNESSES = {
    "fish": ("xboard", "xstate", "xtree", "xstrategy", "xref"),
    "q": (
        "xmap", "xlegal", "xscore", "xstrategy", "xgames", "xgames-with-observer", "xbaddies", "xserver",
        "xserver-bonus",
    ),
    "tsuro": ("xtiles", "xboard", "xrules", "xref", "xadmin"),
}  # fmt: skip
FILES = [f"{game}-{harness}.jsonl" for game, harnesses in HARNESSES.items() for harness in harnesses]


def all_pass(file: Path) -> None:
    outcomes = list(run(file))
    failed = [f"{outcome.id}: {outcome.problem}" for outcome in outcomes if outcome.problem is not None]
    assert outcomes, f"{file} holds no pairs"
    assert not failed, "\n".join([f"{len(failed)} of {len(outcomes)} failed", *failed[:5]])


@pytest.mark.parametrize("name", FILES)
def test_our_own_pairs_pass(name: str) -> None:
    all_pass(OWN / name)


@pytest.mark.timeout(600)  # endless loops, one after the other
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/conformance is not here")
@pytest.mark.parametrize("name", FILES)
def test_the_shared_pairs_pass(name: str) -> None:
    all_pass(SHARED / name)


def pairs(folder: Path, *lines: str, name: str = "fish-xboard.jsonl") -> str:
    file = folder / name
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(file)


RIGHT = '{"id": "right", "in": [{"position": [0, 0], "board": [[1], [1]]}], "out": [1]}'
WRONG = '{"id": "wrong", "in": [{"position": [0, 0], "board": [[1], [1]]}], "out": [true]}'


def test_a_file_that_passes_gives_its_count_and_exit_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = pairs(tmp_path, RIGHT, "", RIGHT)
    assert main([file]) == 0
    assert capsys.readouterr().out == f"{file}: 2 passed, 0 failed\n"


def test_a_failure_is_shown_and_gives_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = pairs(tmp_path, RIGHT, WRONG)
    assert main([file]) == 1
    told = capsys.readouterr()
    assert told.out == f"{file}: 1 passed, 1 failed\n"
    assert "wrong" in told.err
    assert "expected [true]" in told.err
    assert "got      [1]" in told.err


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"id": "x", "in": [{}], "out": []}'])
def test_a_broken_line_fails_and_the_rest_still_run(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pairs(tmp_path, line, RIGHT)
    assert main([file]) == 1
    assert capsys.readouterr().out == f"{file}: 1 passed, 1 failed\n"


@pytest.mark.parametrize("name", ["fish-xnothing.jsonl", "chess-xboard.jsonl", "fish.jsonl"])
def test_a_file_without_a_harness_is_refused_with_a_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([pairs(tmp_path, RIGHT, name=name)]) == 1
    assert name in capsys.readouterr().err
