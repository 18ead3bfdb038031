"""Opens a page where it lies, among those it leads to, and holds it to asking nobody and having no error to tell."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1360, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1360, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


@contextlib.contextmanager
def visited(browser: Browser, path: Path, **options: Any) -> Iterator[Page]:
    wrong: list[str] = []
    context = browser.new_context(**options)
    try:
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(asked.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.goto(path.as_uri())
        page.locator("main").wait_for()
        yield page
    finally:
        context.close()
    assert not wrong


def fits(page: Page) -> bool:
    """Whether nothing sticks out at the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def opening(page: Page) -> float:
    """Milliseconds from the beginning of the load until all was drawn."""
    return float(page.evaluate("performance.getEntriesByName('drawn')[0].startTime"))
