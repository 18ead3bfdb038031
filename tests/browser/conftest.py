"""One chromium for all tests of pages, and the recorded games they look at; without a chromium they are skipped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee import games
from referee.record import Record, read
from referee.referee import Referee, zygote_for
from referee.viewer.replay import replay
from tests.referee.table import file, reference, source

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

CHROMIUM = Path("/usr/bin/chromium")
SCREENSHOTS = "REFEREE_SCREENSHOTS"  # the folder to keep them in

CHATTY = """
    def movement(view):
        print(f"turn {view.turn + 1}: {len(view.legal_moves())} choices")
        return view.legal_moves()[0]
"""
BAD = """
    def movement(view):
        return deep(2) if view.turn > 20 else view.legal_moves()[-1]
    def deep(n):
        return deep(n - 1) if n else {}["nothing"]
"""

Opened = Callable[..., "Page"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM))
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens HTML from a file. A page that asks the network for anything, or has an error to tell, fails the test."""
    wrong: list[str] = []
    contexts: list[BrowserContext] = []

    def page_of(html: str, turn: int | str | None = None, *, refused: str = "\n", **options: Any) -> Page:
        """`refused` is in what the browser may say that it refuses to do."""
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)

        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning") and refused not in message.text:
                wrong.append(message.text)

        def asked(request: Request) -> None:
            if not request.url.startswith(("file:", "data:", "blob:")):
                wrong.append(request.url)

        page.on("console", said)
        page.on("request", asked)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.goto(path.as_uri() + (f"#t={turn}" if turn is not None else ""))
        page.locator(".board > *").first.wait_for(state="attached")
        return page

    yield page_of
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Page, str], None]:
    """Keeps a screenshot under a name."""
    folder = Path(os.environ.get(SCREENSHOTS) or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)

    def keep(page: Page, name: str) -> None:
        page.screenshot(path=folder / f"{name}.png", full_page=True)

    return keep


@pytest.fixture(scope="session")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """A game of Fish in which one player talks, one is kicked, and some get stuck."""
    folder = tmp_path_factory.mktemp("eventful")
    game, path = games.get("fish"), folder / "game.jsonl"
    entrants = [
        reference("fish", "ann"),
        file(folder, "chatty", source("fish", CHATTY)),
        file(folder, "bad", source("fish", BAD)),
    ]
    with zygote_for(game) as zygote:
        config = game.config(rows=6, columns=6, holes=2, colors="in order")
        Referee(game, entrants, config=config, seed=1, zygote=zygote, record=str(path)).run()
    return read(path)


@pytest.fixture(scope="session")
def eventful_page(eventful: Record) -> str:
    return replay(eventful, again="referee play fish --seed=1", reproduce={"bad": "referee reproduce game bad.py"})
