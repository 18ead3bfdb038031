"""The replay page as a reader uses it: buttons, keys, the bar, links, charts, copies, announcements."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.record import Record
from referee.recorder import KickLine, encode
from tests.browser.conftest import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page


def turn(page: Page) -> int:
    return int(page.locator(".where").inner_text().split("/")[0])


def reach(page: Page, turn: str) -> None:
    """Wait until a turn is shown that this pattern describes."""
    page.locator(".where").get_by_text(re.compile(rf"^{turn} /")).wait_for()


def press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def announced(page: Page) -> str:
    return page.get_by_role("status").inner_text()


def kick_of(record: Record) -> KickLine:
    return next(line for line in record.lines if isinstance(line, KickLine))


def test_buttons_step_and_go_to_either_end(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page)
    assert turn(page) == 0
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()
    assert turn(page) == 2
    page.get_by_role("button", name="Previous", exact=True).click()
    assert turn(page) == 1
    page.get_by_role("button", name="Last", exact=True).click()
    assert turn(page) == eventful.turns
    page.get_by_role("button", name="First", exact=True).click()
    assert turn(page) == 0


def test_it_plays_by_itself_until_paused_or_over(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page)
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    reach(page, "[3-9]")
    page.get_by_role("button", name="Pause", exact=True).click()
    assert 3 <= turn(page) < eventful.turns
    press(page, "Space")
    reach(page, str(eventful.turns))
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_keys_do_the_same(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page)
    press(page, "ArrowRight", 3)
    assert turn(page) == 3
    press(page, "ArrowLeft")
    assert turn(page) == 2
    press(page, "End")
    assert turn(page) == eventful.turns
    press(page, "Home")
    assert turn(page) == 0
    press(page, "+", 2)
    assert page.get_by_label("Speed").input_value() == "4"
    press(page, "-", 9)
    assert page.get_by_label("Speed").input_value() == "0.25"
    press(page, "+", 9)
    assert page.get_by_label("Speed").input_value() == "16"
    press(page, "Space")
    page.get_by_role("button", name="Pause", exact=True).wait_for()


def test_the_keyboard_alone_reaches_every_control(opened: Opened, eventful_page: str) -> None:
    page = opened(eventful_page)
    names = []
    for _ in range(12):
        press(page, "Tab")
        focused = page.locator(":focus-visible")
        assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
        names.append(focused.get_attribute("aria-label") or focused.inner_text())
    assert {"Copy the seed", "First", "Previous", "Play", "Next", "Last", "Turn", "Speed"} <= set(names)
    page.get_by_role("button", name="Next", exact=True).focus()
    press(page, "Space")
    assert turn(page) == 1
    page.get_by_role("slider").focus()
    press(page, "ArrowRight")
    assert turn(page) == 2


def test_the_bar_scrubs_and_its_marks_lead_to_kicks_and_eliminations(
    opened: Opened, eventful: Record, eventful_page: str
) -> None:
    page = opened(eventful_page)
    bar = page.get_by_role("slider")
    bar.fill("10")
    assert turn(page) == 10
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    assert turn(page) == eventful.turns
    kick = kick_of(eventful)
    page.get_by_role("button", name=f"bad is kicked, turn {kick.turn}: exception").click()
    assert turn(page) == kick.turn
    assert (bar.get_attribute("aria-valuetext") or "").startswith(f"Turn {kick.turn}: bad is kicked in movement")
    page.get_by_role("button", name="is out, turn").first.click()
    assert kick.turn < turn(page) < eventful.turns


def test_a_link_leads_to_a_turn_and_the_address_follows(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page, turn=17)
    assert turn(page) == 17
    press(page, "ArrowRight")
    assert page.url.endswith("#t=18")
    page.evaluate("location.hash = '#t=5'")
    reach(page, "5")
    assert turn(opened(eventful_page, turn=99999)) == eventful.turns
    assert turn(opened(eventful_page, turn="<script>")) == 0


def test_each_move_is_announced_in_words(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page)
    press(page, "ArrowRight")
    assert re.fullmatch(r"Turn 1: ann puts a penguin on \(\d, \d\)\.", announced(page))
    page.get_by_role("slider").fill("13")
    assert announced(page).startswith(f"Turn 13: {eventful.lines[12].player} goes from (")
    assert announced(page).endswith(" fish.")
    press(page, "End")
    assert "The game is over: " in announced(page)


def test_a_player_that_is_clicked_is_followed(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page, turn=12)
    row = page.locator(".seat").filter(has_text="chatty")
    row.click()
    assert row.get_attribute("aria-pressed") == "true"
    press(page, "Shift+ArrowRight")
    assert eventful.lines[turn(page) - 1].player == "chatty"
    assert page.locator(".outputs h3").all_inner_texts()[0].startswith("chatty")
    assert page.locator(".outputs h3").count() == 1
    assert page.locator(".plot .series.stairs.faint").count() == 2
    row.click()
    assert page.locator(".outputs h3").count() == 3


def test_a_click_on_a_chart_leads_there(opened: Opened, eventful: Record, eventful_page: str) -> None:
    page = opened(eventful_page)
    for name in ("Scores over time", "CPU time of each move"):
        press(page, "Home")
        chart = page.get_by_role("img", name=name)
        box = chart.bounding_box()
        assert box is not None
        chart.click(position={"x": box["width"] * 0.55, "y": box["height"] / 2})
        assert 0.3 * eventful.turns < turn(page) < 0.7 * eventful.turns


def test_output_is_shown_at_its_turn_and_a_verdict_with_its_traceback(
    opened: Opened, eventful: Record, eventful_page: str
) -> None:
    page = opened(eventful_page)
    said = next(line for line in eventful.lines if line.output)
    page.get_by_role("slider").fill(str(eventful.lines.index(said) + 1))
    assert page.locator(".outputs pre").inner_text() == said.output
    assert said.output.startswith(f"turn {said.turn}: ")
    verdict = page.locator(".verdict")
    assert "KeyError: 'nothing'" in verdict.inner_text()
    assert "in deep" in verdict.inner_text()
    kick = kick_of(eventful)
    verdict.get_by_role("button", name=f"in movement, turn {kick.turn}").click()
    assert turn(page) == kick.turn
    assert "is kicked in movement" in page.locator(".what").inner_text()


def test_seed_and_commands_can_be_copied_and_the_record_saved(
    opened: Opened, eventful: Record, eventful_page: str, tmp_path: Path
) -> None:
    page = opened(eventful_page, permissions=["clipboard-read", "clipboard-write"])
    for name, text in {
        "Copy the seed": "1",
        "Copy the command that plays this game again": "referee play fish --seed=1",
        "Copy the command that asks this player the same again": "referee reproduce game bad.py",
    }.items():
        page.get_by_role("button", name=name).click()
        page.get_by_role("button", name=name).get_by_text("Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download the record").click()
    saving.value.save_as(tmp_path / "saved.jsonl")
    assert saving.value.suggested_filename == f"fish-{eventful.header.id}.jsonl"
    lines = (tmp_path / "saved.jsonl").read_bytes().split(b"\n")
    assert lines[0] == encode(eventful.header)
    assert lines[1:-2] == [encode(line) for line in eventful.lines]


STEP_AND_COUNT_MOTIONS = """() => {
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
    return document.querySelector(".board").getAnimations({subtree: true}).length;
}"""
DRAWN = """() => [...document.querySelectorAll(".board *")].map(node =>
    [node.localName, ...[...node.attributes].map(a => `${a.name}=${a.value}`).sort(),
     node.children.length ? "" : node.textContent].join(" "))"""


def test_a_penguin_is_seen_to_move_unless_the_reader_wants_no_motion(opened: Opened, eventful_page: str) -> None:
    page = opened(eventful_page, turn=12)
    before = page.evaluate("document.querySelectorAll('.board [data-key]').length")
    assert page.evaluate(STEP_AND_COUNT_MOTIONS) > 0
    assert page.evaluate("document.querySelectorAll('.board [data-key]').length") >= before
    calm = opened(eventful_page, turn=12, reduced_motion="reduce")
    assert calm.evaluate(STEP_AND_COUNT_MOTIONS) == 0
    assert turn(calm) == 13


@pytest.mark.parametrize("to", [1, 9, 30])
def test_the_board_is_the_same_whichever_way_one_came(opened: Opened, eventful_page: str, to: int) -> None:
    straight = opened(eventful_page, turn=to)
    page = opened(eventful_page)
    press(page, "End")
    page.get_by_role("slider").fill(str(to + 1))
    press(page, "ArrowLeft")
    assert page.evaluate(DRAWN) == straight.evaluate(DRAWN)
