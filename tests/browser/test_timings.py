"""The page of a benchmark as a reader sees it: distributions, comparisons, memory, what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.timing.baseline import held_against
from referee.timing.report import Report
from referee.viewer.timings import timings
from sandbox.verdicts import Frame
from tests.browser.visiting import LOOKS, fits, visited
from tests.referee.table import source

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BURNS = """
    import time
    def movement(view):
        begun = time.thread_time()
        while time.thread_time() - begun < 0.01: pass
        return view.legal_moves()[0]
"""
CHANGES = """
    import random
    chance = random.SystemRandom()
    def movement(view): return chance.choice(view.legal_moves())
"""
FAILS = "def movement(view): return 1 / 0\n"
EVIL = "</script><script>alert(1)</script>"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", *words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the page of a benchmark that was really made, and what it found."""
    folder = tmp_path_factory.mktemp("benchmark")
    texts = {"quick": source("fish"), "slow": source("fish", BURNS), "chancy": source("fish", CHANGES)}
    for name, text in (texts | {"fails": source("fish", FAILS)}).items():
        (folder / f"{name}.py").write_text(text)
    files = [str(folder / f"{name}.py") for name in (*texts, "fails")]
    done = run("fish", *files, "--positions", "12", "--repeat", "2", "--html", str(folder / "page.html"), "--json")
    assert done.exit_code == 1, done.output
    (folder / "found.json").write_text(done.stdout)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> Report:
    return msgspec.json.decode((folder / "found.json").read_bytes(), type=Report)


def panel(page: Page, title: str) -> Any:
    return page.locator(".panel", has=page.get_by_role("heading", name=title))


def test_every_file_has_a_row_in_every_part_of_the_game_with_a_dot_a_position(
    browser: Browser, folder: Path, found: Report
) -> None:
    with visited(browser, folder / "page.html") as page:
        whole = panel(page, "CPU a move").locator("tbody").first
        assert whole.locator("th[scope=row]").all_inner_texts() == ["quick", "slow", "chancy", "fails"]
        assert whole.locator("svg").first.locator(".speck").count() == 12
        boxes = [box.bounding_box() for box in whole.locator(".median").all()]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[1]["x"] > boxes[0]["x"] + 50, "what takes longer is further right"
        phases = panel(page, "CPU a move").locator(".part").all_text_contents()
        assert phases == ["All positions", "opening", "middle", "end"]


def test_the_sentences_of_the_comparison_are_those_of_the_report(browser: Browser, folder: Path, found: Report) -> None:
    with visited(browser, folder / "page.html") as page:
        sentences = panel(page, "Which is faster").locator(".sentence").all_inner_texts()
        assert sentences == [str(comparison) for comparison in found.comparisons]


def test_legal_moves_memory_and_loading_are_shown_for_each_file(browser: Browser, folder: Path) -> None:
    with visited(browser, folder / "page.html") as page:
        assert panel(page, "By number of legal moves").locator(".plot .dots").count() == 4
        for title in ("Peak memory", "CPU to load"):
            assert panel(page, title).locator(".bar").count() == 4


def test_failures_and_changing_answers_are_told(browser: Browser, folder: Path) -> None:
    with visited(browser, folder / "page.html") as page:
        words = panel(page, "What went wrong").inner_text()
        assert "division by zero" in words
        assert "exception at" in words
        assert "answers changed between repeats" in words


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_fits_every_look(
    browser: Browser, kept: Callable[[Page, str], None], folder: Path, look: str
) -> None:
    with visited(browser, folder / "page.html", **LOOKS[look]) as page:
        kept(page, f"timings-{look}")
        assert fits(page)


def test_what_has_become_slower_comes_first(
    browser: Browser, kept: Callable[[Page, str], None], tmp_path: Path, found: Report
) -> None:
    def slower(file: Any) -> Any:
        return msgspec.structs.replace(file, times={key: [20 * t for t in times] for key, times in file.times.items()})

    now = msgspec.structs.replace(found, files=[slower(found.files[0]), *found.files[1:]])
    path = tmp_path / "page.html"
    path.write_text(timings(now, held_against(now, found, "before.json")))
    with visited(browser, path) as page:
        kept(page, "timings-against")
        assert page.locator("main > .panel h2").first.inner_text().lower() == "against before.json"
        assert page.locator(".worse").count() > 0


def test_hostile_strings_are_text_and_nothing_else(browser: Browser, tmp_path: Path, found: Report) -> None:
    frame = Frame(file=EVIL, line=3, function=EVIL, source="\x1b[31m\u202e")
    last = found.files[-1]
    fault = msgspec.structs.replace(last.failures[0], detail=EVIL + "x" * 1_000_000, traceback=(frame,) * 500)
    evil = msgspec.structs.replace(last, name=EVIL, file="y" * 1_000_000, failures=[fault], given_up=EVIL)
    forged = msgspec.structs.replace(found, files=[*found.files[:-1], evil], settings=(EVIL,))
    path = tmp_path / "page.html"
    path.write_text(timings(forged), encoding="utf-8")
    assert path.stat().st_size < 200_000
    with visited(browser, path, **LOOKS["phone"]) as page:
        seen = page.evaluate("document.body.innerText")
        assert EVIL in seen
        assert not {"\x1b", "\u202e"} & set(seen)
        assert fits(page)


def test_a_page_that_would_overwrite_something_else_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("my diary")
    done = run("fish", "greedy", "--html", str(tmp_path / "mine.txt"))
    assert done.exit_code == 2
    assert "is no page" in done.stderr
