"""The pages of a tournament as a reader uses them: table, cross table, filters, and the way to every replay."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.tournament.formats import Plan
from referee.tournament.journal import Journal, records_of
from referee.tournament.match import Seat
from referee.tournament.outcome import Kick, Outcome
from referee.tournament.spec import Spec
from referee.tournament.tournament import Tournament
from referee.viewer.standings import standings
from tests.browser.visiting import LOOKS, fits, opening, visited
from tests.referee.table import source
from tests.tournament.arena import LAST, RULES, SETTINGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BAD = source("fish", 'def placement(view): return {}["nothing"]\n')
HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202egnp.exe \u2066\x1b[31mred\x00",
    "x" * 1_000_000,
]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of three that was really held, one of them failing, with its pages."""
    folder = tmp_path_factory.mktemp("tournament")
    for name, text in {"first": source("fish"), "last": LAST, "bad": BAD}.items():
        (folder / f"{name}.py").write_text(text)
    files = [str(folder / f"{name}.py") for name in ("first", "last", "bad")]
    places = ["--journal", str(folder / "week.db"), "--html", str(folder / "pages")]
    done = run("tournament", "fish", *files, *SETTINGS, "--games", "4", *places)
    assert done.exit_code == 0, done.output
    return folder / "pages"


def imagined(path: Path, names: Sequence[str], matches: int) -> str:
    """The page of a tournament that nobody played."""
    chance = random.Random(1)
    players = tuple(Seat(name=name, sha256="0" * 64) for name in names)
    spec = Spec(rules=RULES, format="round-robin", plan=Plan(seats=2, games=2), seed=1, players=players)
    with Journal.open(path, spec) as journal:
        for number in range(matches):
            seats = tuple(chance.sample(list(names), 2))
            kicked = (Kick(seats[1], chance.choice(["exception", "cpu-timeout"]), "movement", 3),) * (number % 3 == 0)
            ranking = (seats[:1],) if kicked else ((seats[0],), (seats[1],))
            used = {name: chance.uniform(0.01, 2) for name in seats}
            outcome = Outcome(
                number=number, seats=seats, ranking=ranking, kicked=kicked, scores=dict.fromkeys(seats, 7), turns=20,
                moves=dict.fromkeys(seats, 10), cpu=used, void="a lane died" if number == 1 else "",
            )  # fmt: skip
            journal.add(str(number), outcome)
        tournament = Tournament(journal)
        return standings(tournament, tournament.standings(), replays=range(matches // 2))


def listed(page: Page) -> list[str]:
    return page.locator(".matches tbody tr").all_inner_texts()


def told(page: Page) -> str:
    return page.get_by_role("status").inner_text()


def test_every_match_is_one_click_from_its_replay(browser: Browser, site: Path) -> None:
    with visited(browser, site / "index.html") as page:
        assert told(page) == "1–12 of 12"
        assert page.locator(".matches a").count() == 12
        page.get_by_title("Replay of match 7").click()
        page.locator(".board > *").first.wait_for(state="attached")
        assert "/matches/000007.html" in page.url


def test_the_table_names_all_players_with_points_and_intervals(browser: Browser, site: Path) -> None:
    with visited(browser, site / "index.html") as page:
        table = page.locator(".panel", has=page.get_by_role("heading", name="Standings")).locator("tbody tr")
        assert table.count() == 3
        assert table.last.inner_text().split()[1] == "bad"
        assert table.locator("svg[aria-label*='95 % between']").count() == 3
        whiskers = table.first.locator(".whisker").first.bounding_box()
        assert whiskers is not None
        assert whiskers["width"] > 5
        assert "Winner" in page.locator("header").inner_text()


def test_a_cell_of_the_cross_table_and_what_its_mirror_has_are_all_the_points(browser: Browser, site: Path) -> None:
    with visited(browser, site / "index.html") as page:
        bad = page.locator(".cross tbody tr").last.locator("td[data-column]")
        assert bad.all_inner_texts() == ["0", "0"]
        above = page.locator(".cross tbody tr").locator("td[data-column='2']").all_inner_texts()
        assert above == ["4", "4"]
        bad.first.click()
        assert told(page) == "1–4 of 4"


def test_matches_are_chosen_by_player_opponent_and_verdict(browser: Browser, site: Path) -> None:
    with visited(browser, site / "index.html") as page:
        page.get_by_label("Player").select_option(label="bad")
        assert told(page) == "1–8 of 8"
        assert all("bad" in row for row in listed(page))
        page.get_by_label("Against").select_option(label="last")
        assert told(page) == "1–4 of 4"
        page.get_by_role("button", name="All").click()
        assert told(page) == "1–12 of 12"
        page.get_by_role("button", name="exception", exact=True).click()
        assert told(page) == "1–8 of 8"
        page.get_by_label("Player").select_option(label="first")
        assert told(page) == "No match is like that."


def test_who_comes_back_from_a_replay_finds_what_was_chosen(browser: Browser, site: Path) -> None:
    with visited(browser, site / "index.html") as page:
        page.get_by_label("Player").select_option(label="bad")
        page.locator(".matches a").first.click()
        page.locator(".board > *").first.wait_for(state="attached")
        page.go_back()
        page.locator("main.stack").wait_for()
        assert told(page) == "1–8 of 8"


def test_keys_alone_lead_to_a_replay(browser: Browser, site: Path) -> None:
    with visited(browser, site / "index.html") as page:
        page.locator("tbody .link").first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
        for _ in range(4):
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == "A"
        page.keyboard.press("Enter")
        page.locator(".board > *").first.wait_for(state="attached")


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_fits_every_look(
    browser: Browser, kept: Callable[[Page, str], None], site: Path, look: str
) -> None:
    with visited(browser, site / "index.html", **LOOKS[look]) as page:
        kept(page, f"standings-{look}")
        assert fits(page)
        light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g)[0]")
        assert (int(light) < 100) == (look == "dark")


def test_thousands_of_matches_are_turned_over_a_page_at_a_time(
    browser: Browser, kept: Callable[[Page, str], None], tmp_path: Path
) -> None:
    path = tmp_path / "many.html"
    path.write_text(imagined(tmp_path / "many.db", [f"player {number}" for number in range(60)], 5000))
    assert path.stat().st_size < 400_000
    with visited(browser, path, **LOOKS["phone"]) as page:
        assert opening(page) < 3000
        assert fits(page)
        assert told(page) == "1–50 of 5,000"
        page.get_by_role("button", name="Next").click()
        assert told(page) == "51–100 of 5,000"
        page.get_by_role("button", name="Last").click()
        assert told(page) == "4951–5000 of 5,000"
        assert page.get_by_role("button", name="Next").is_disabled()
        assert page.locator(".matches a").count() == 0, "the later half has no pages"
        assert page.get_by_title("Copy the command that shows this match").count() == 50
        page.get_by_label("Ending").select_option("void")
        assert "a lane died" in listed(page)[0]
        assert page.locator(".cross tbody tr").count() == 40
        page.get_by_role("button", name="Show all 60 players").click()
        assert page.locator(".cross tbody tr").count() == 60
        assert fits(page)
    with visited(browser, path) as page:
        kept(page, "standings-many")


def test_hostile_names_are_text_and_nothing_else(
    browser: Browser, kept: Callable[[Page, str], None], tmp_path: Path
) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(imagined(tmp_path / "hostile.db", HOSTILE, 40), encoding="utf-8")
    assert path.stat().st_size < 200_000
    for look, options in LOOKS.items():
        with visited(browser, path, **options) as page:
            kept(page, f"standings-hostile-{look}")
            seen = page.evaluate("document.body.innerText")
            assert "</script><script>alert(1)</script>" in seen
            assert not {"\x1b", "\x00", "\u202e", "\u2066"} & set(seen)
            assert page.locator("img, iframe, object").count() == 0
            assert fits(page)


def test_pages_can_be_written_later_and_without_a_record_that_is_lost(browser: Browser, site: Path) -> None:
    journal = site.parent / "week.db"
    lost = records_of(journal) / "000003.jsonl"
    kept, again = lost.read_bytes(), site.parent / "again"
    lost.unlink()
    try:
        done = run("standings", str(journal), "--html", str(again))
    finally:
        lost.write_bytes(kept)
    assert done.exit_code == 0
    assert "Of 1 of the matches there is no page" in done.stderr
    with visited(browser, again / "index.html") as page:
        assert page.locator(".matches a").count() == 11


def test_a_folder_that_cannot_be_one_of_pages_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.html").write_text("my diary")
    words = ["tournament", "fish", "greedy", "random", "--journal", str(tmp_path / "a.db"), "--html"]
    for folder, why in {"file": "cannot be a folder", "pages": "is no page"}.items():
        done = run(*words, str(tmp_path / folder))
        assert done.exit_code == 2
        assert why in done.stderr
    assert not (tmp_path / "a.db").exists()
    assert (tmp_path / "pages" / "index.html").read_text() == "my diary"
