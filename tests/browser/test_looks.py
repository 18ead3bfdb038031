"""Every game in light, dark and on a phone; hostile records; how large a page is and how fast it opens."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from referee import games
from referee.games import fish
from referee.games.fish import drawing
from referee.record import Record, read
from referee.recorder import KickLine
from referee.viewer.replay import replay
from sandbox import Ending, Verdict
from sandbox.verdicts import Frame
from tests.browser.conftest import Opened
from tests.referee.table import play, trusted

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Wanderer:
    """Makes any legal move; in Q one tile at a time, so that games are long."""

    def __init__(self, seed: int, rests: bool = False) -> None:
        self._random = random.Random(seed)
        self._rests = rests

    def _any(self, view: Any) -> Any:
        return self._random.choice(view.legal_moves())

    placement = movement = initial_placement = move = _any

    def take_turn(self, view: Any) -> Any:
        legal = view.legal_moves()
        placements = [action for action in legal if not isinstance(action, str)]
        if not placements or (self._rests and "exchange" in legal):
            return legal[-2] if "exchange" in legal else "pass"
        return self._random.choice(placements)


def recorded(game: str, path: Path, names: list[str], **config: Any) -> Record:
    entrants = [trusted(name, Wanderer(seat, rests=seat > 1)) for seat, name in enumerate(names)]
    play(game, entrants, record=str(path), seed=2, config=games.get(game).config(**config))
    return read(path)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, eventful_page: str) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("games")
    tsuro = recorded("tsuro", folder / "tsuro.jsonl", ["ann", "bob", "cyd", "dee"])
    q = recorded("q", folder / "q.jsonl", ["ann", "bob"])
    short = Record(q.header, q.lines[:40], None)
    return {"fish": eventful_page, "tsuro": replay(tsuro), "q": replay(short)}


@pytest.mark.parametrize("game", ["fish", "tsuro", "q"])
@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_a_board_fills_its_page_in_every_look(
    opened: Opened, kept: Callable[[Page, str], None], pages: dict[str, str], game: str, look: str
) -> None:
    size = {"width": 390, "height": 844} if look == "phone" else {"width": 1360, "height": 900}
    page = opened(pages[game], turn=23, viewport=size, color_scheme="dark" if look == "dark" else "light")
    kept(page, f"replay-{game}-{look}")
    board = page.locator(".board").bounding_box()
    assert board is not None
    assert board["width"] > size["width"] * 0.5
    assert board["height"] > 120
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g)[0]")
    assert (int(light) < 100) == (look == "dark")
    assert page.locator(".board .legend").count() == 0


HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)><svg onload=alert(1)>',
    "\u202egnp.exe \u2066\x1b[31mred\x00",
    "x" * 1_000_000,
]


def test_hostile_strings_are_text_and_nothing_else(
    opened: Opened, kept: Callable[[Page, str], None], tmp_path: Path
) -> None:
    record = recorded("fish", tmp_path / "hostile.jsonl", HOSTILE)
    text = "".join(HOSTILE)[:3000] + HOSTILE[0]
    lines: list[Any] = [msgspec.structs.replace(line, output=HOSTILE[0] + HOSTILE[2]) for line in record.lines[:20]]
    frame = Frame(file=HOSTILE[1], line=3, function=HOSTILE[0], source=HOSTILE[2])
    verdict = Verdict(ending=Ending.EXCEPTION, detail=text, method=lines[-1].method, traceback=(frame,) * 500)
    last = lines[-1]
    lines[-1] = KickLine(call=last.call, turn=last.turn, player=last.player, verdict=verdict, output=text)
    players = [player | {"given": HOSTILE[1]} for player in record.header.players]
    forged = Record(msgspec.structs.replace(record.header, players=players), lines, None)
    html = replay(forged, again=f"referee play {HOSTILE[0]}", reproduce=dict.fromkeys(HOSTILE, HOSTILE[0]))
    assert len(html) < 200_000
    page = opened(html, turn=20)
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    kept(page, "replay-hostile")
    seen = page.evaluate("document.body.innerText")
    assert "</script><script>alert(1)" in seen
    assert not {"\x1b", "\x00", "\u202e", "\u2066"} & set(seen)
    assert "\\x1b[31m" in seen
    assert page.locator("img, iframe, object, script:not([type]) ~ script").count() == 0
    handlers = "[...document.querySelectorAll('*')].filter(n => [...n.attributes].some(a => /^on/.test(a.name))).length"
    assert page.evaluate(handlers) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert len(seen) < 50_000


def test_a_picture_with_scripts_and_links_in_it_draws_only_what_draws(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a game that forgets to escape can make the page do anything."""
    evil = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)"><script>alert(1)</script>'
        '<a href="javascript:alert(1)"><text>link</text></a><style>* { background: url(http://127.0.0.1:9/) }</style>'
        '<image href="http://127.0.0.1:9/x.png"/><rect width="9" height="9" fill="url(http://127.0.0.1:9/#a)" '
        'style="background: url(http://127.0.0.1:9/)" onclick="alert(1)"/><foreignObject><p>html</p></foreignObject>'
        '<text>a <tspan font-weight="bold">bold</tspan> word</text></svg>'
    )
    record = recorded("fish", tmp_path / "game.jsonl", ["a", "b"])
    monkeypatch.setattr(drawing, "svg", lambda public: evil)
    page = opened(replay(record), turn=3, refused="Content Security Policy")
    page.locator(".board rect").click()
    drawn = page.evaluate("[...document.querySelector('.board').children].map(node => node.outerHTML)")
    assert drawn == [
        '<rect width="9" height="9"></rect>',
        '<text>a <tspan font-weight="bold">bold</tspan> word</text>',
    ]


def test_a_game_that_gives_nothing_but_a_picture_is_replayed_too(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = recorded("fish", tmp_path / "game.jsonl", ["a", "b"])
    picture = drawing.svg

    def bare(public: fish.Public) -> str:
        return picture(public).replace("\n", "").replace("data-", "x-").replace("class=", "kind=")

    monkeypatch.setattr(drawing, "svg", bare)
    monkeypatch.delattr(fish, "told")
    monkeypatch.delattr(fish, "out")
    html = replay(record)
    assert len(html) < 150_000
    page = opened(html, turn=9)
    assert page.get_by_role("status").inner_text().startswith("Turn 9: a movement [[")
    assert page.locator(".board polygon").count() == 25
    assert page.get_by_role("img", name="Fish, moving, after turn 9").count() == 1


def test_a_position_without_a_picture_is_told_in_words_all_the_same(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = recorded("fish", tmp_path / "game.jsonl", ["a", "b"])
    monkeypatch.setattr(drawing, "svg", lambda public: "<svg><g></svg>")
    page = opened(replay(record), turn=9, refused="Content Security Policy")  # chromium's own words have a style
    assert "gives no picture" in (page.locator(".board").text_content() or "")
    assert "goes from" in page.get_by_role("status").inner_text()


def test_a_record_that_breaks_off_says_so(opened: Opened, eventful: Record) -> None:
    page = opened(replay(Record(eventful.header, eventful.lines[:5], None)), turn=5)
    assert "The record breaks off here" in page.get_by_role("status").inner_text()
    nothing = opened(replay(Record(eventful.header, [], None)))
    assert nothing.locator(".where").inner_text() == "0 / 0"


def opening(page: Page) -> float:
    """Milliseconds from the beginning of the load until the board was there."""
    return float(page.evaluate("performance.getEntriesByName('drawn')[0].startTime"))


def test_long_games_are_small_and_open_at_once(opened: Opened, tmp_path: Path) -> None:
    """Measured 100 to 240 ms on two slow cores; the bound here is wide, since others use them too."""
    q = recorded("q", tmp_path / "q.jsonl", ["ann", "bob", "cyd", "dee"])
    assert len(q.lines) >= 2000
    two_thousand = replay(Record(q.header, q.lines[:2000], None))
    two_hundred = replay(Record(q.header, q.lines[:200], None))
    assert len(two_thousand.encode()) < 400_000
    assert len(two_hundred.encode()) < 150_000
    assert min(opening(opened(two_thousand)) for _ in range(3)) < 1000
    page = opened(two_thousand, turn=2000)
    assert page.locator(".where").inner_text() == "2000 / 2000"


@pytest.mark.parametrize(
    ("game", "config"),
    [("fish", {"rows": 20, "columns": 20, "holes": 0}), ("tsuro", {"width": 20, "height": 20, "tiles": "shuffled"})],
)
def test_two_hundred_moves_on_a_large_board_stay_small(game: str, config: dict[str, Any], tmp_path: Path) -> None:
    record = recorded(game, tmp_path / "game.jsonl", ["ann", "bob", "cyd", "dee"], **config)
    lines = record.lines[:200]
    assert len(lines) > 100
    assert len(replay(Record(record.header, lines, None)).encode()) < 150_000
