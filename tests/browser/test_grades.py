"""Grades in the browser: a student's report, that of staff, and the table of the class."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from referee import games
from referee.grading.outputs import write
from referee.grading.report import Feedback, Grade
from tests.browser.conftest import Opened
from tests.grading.grades import FAILURE, HOSTILE, grade, hidden, mark
from tests.grading.test_outputs import hostile
from tests.viewer.test_page import Elements, unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Visit = Callable[..., "Page"]
FIRST = '<p class="board"><b></b></p>'  # any page, so that whoever opens it looks on while others are visited
REPORT = "Smith, Ann/html/report.html"


@pytest.fixture
def visit(opened: Opened) -> Visit:
    """Opens a page that lies among others, so that its links lead somewhere."""

    def page_at(path: Path, **options: Any) -> Page:
        page = opened(FIRST, **options)
        page.goto(path.as_uri())
        page.locator("main").wait_for()
        return page

    return page_at


def failure(game: str, seats: int, **more: Any) -> Feedback:
    state: Any = games.get(game).setup(["Ann", "greedy", "random"][:seats])
    return msgspec.structs.replace(FAILURE, position=state.text(), svg=state.svg(), **more)


def ann(**more: Any) -> Grade:
    """Of a student with a check of each kind of end."""
    illegal = "its answer is against the rules in movement, turn 9: a penguin stands in the way"
    kicks = (failure("fish", 2), failure("tsuro", 3, verdict="illegal-move", sentence=illegal, times=1, line=31))
    return grade(
        mark("Plays by the rules", 10, sentence="It plays three games by the rules."),
        mark("Beats random", 2.5, 5, sentence="It wins 6 of 10 games; 8 are wanted.", feedback=kicks),
        mark("Fast enough", 0, 5, sentence="It needs 410 ms a move; 100 are allowed."),
        mark("Small enough", 0, 5, sentence="", fault="the lane is gone"),
        hidden("Secret", 3, 7, sentence="It survives the gallery."),
        **{"share": 0.9, "late": "Handed in 2 h late: 10 % less.", **more},
    )


def others() -> list[Grade]:
    kicked = (failure("fish", 2),)
    return [
        grade(mark("Plays", 9), student="Zoë", key="zoe", login="zoe", section="B"),
        grade(mark("Plays", 10), student="אבי כהן", key="avi", login="avi", section="B"),
        grade(mark("Plays", 2, feedback=kicked), student="Bob Longname-Hyphenated", key="b", login="bob", late="Late."),
        grade(mark("Plays", 0), student="Dan", key="dan", login="dan", file="", sha256="", submitted=None),
    ]


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    write([ann(), *others()], folder, ["html"], staff=True)
    return folder


def check(page: Page, title: str) -> Locator:
    return page.locator(".check").filter(has=page.get_by_role("heading", name=title, exact=True))


def test_a_report_has_the_total_and_every_check_with_its_points(visit: Visit, class_: Path) -> None:
    page = visit(class_ / REPORT)
    assert page.title() == "Smith, Ann: 11.25 of 25 points"
    total = page.locator(".total").inner_text()
    assert "11.25 of 25 points in the checks that are shown" in total
    assert "1 of 4 checks passed" in total
    assert "Handed in 2 h late: 10 % less." in total
    assert "A check could not be made, through no fault of the submission" in total
    heads = [" ".join(text.split()) for text in page.locator(".check .head").all_inner_texts()]
    assert heads == [
        "Plays by the rules Passed 10 / 10",
        "Beats random In part 2.5 / 5",
        "Fast enough Failed 0 / 5",
        "Small enough Not made 0 / 5",
    ]
    parts = page.evaluate(
        "[...document.querySelectorAll('.check .share')].map(n => n.firstChild.clientWidth / n.clientWidth)"
    )
    assert parts == pytest.approx([1, 0.5, 0, 0], abs=0.01)
    assert "no fault of the submission: the lane is gone" in check(page, "Small enough").inner_text()


def test_what_is_withheld_is_a_number_to_the_student_and_a_check_to_staff(visit: Visit, class_: Path) -> None:
    seen = visit(class_ / REPORT).locator("body").inner_text()
    assert "1 more check is not shown." in seen
    packed = unpacked(Elements((class_ / REPORT).read_text()), "data")
    assert not [word for word in (b"Secret", b"gallery") if word in packed]
    page = visit(class_ / "staff" / REPORT)
    assert "14.25" not in seen
    secret = check(page, "Secret").inner_text()
    assert "It survives the gallery." in secret
    assert "Never shown to the student." in secret
    assert "not shown" not in page.locator(".total").inner_text()


def test_a_failure_has_all_that_its_author_needs(visit: Visit, class_: Path) -> None:
    page = visit(class_ / REPORT, permissions=["clipboard-read", "clipboard-write"])
    note = check(page, "Beats random").locator(".failure").first
    told = note.inner_text()
    assert [word for word in ("exception", "bot.py:7", "2 times", "KeyError: 0", "thinking") if word not in told] == []
    assert FAILURE.frames in (note.locator("pre").first.text_content() or "")
    note.get_by_role("button", name="Copy the command").click()
    note.get_by_text("Copied").wait_for()
    command = "referee reproduce questions-1.jsonl bot.py"
    assert page.evaluate("navigator.clipboard.readText()") == command
    with page.expect_download() as download:
        note.get_by_role("button", name="Download the questions it was asked").click()
    assert download.value.suggested_filename == "questions-1.jsonl"
    assert download.value.path().read_text() == FAILURE.record


def test_a_position_is_drawn_with_who_plays_and_told_as_text(visit: Visit, class_: Path) -> None:
    page = visit(class_ / REPORT)
    first, second = check(page, "Beats random").locator(".failure").all()
    assert first.locator(".board polygon").count() > 10
    assert first.locator(".board").get_by_text("greedy").is_visible()
    first.get_by_text("As text").click()
    assert first.locator("pre.grid").text_content() == games.get("fish").setup(["Ann", "greedy"]).text()
    assert second.locator(".board").count() == 0  # nobody looks at it yet
    second.locator("summary").first.focus()
    page.keyboard.press("Enter")
    second.locator(".board").get_by_text("random").wait_for()
    assert "bot.py:31" in second.inner_text()


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
@pytest.mark.parametrize("name", ["report", "staff", "class"])
def test_pages_of_grades_fit_every_look(
    visit: Visit, kept: Callable[[Page, str], None], class_: Path, name: str, look: str
) -> None:
    size = {"width": 390, "height": 844} if look == "phone" else {"width": 1360, "height": 900}
    path = {"report": REPORT, "staff": f"staff/{REPORT}", "class": "staff/index.html"}[name]
    page = visit(class_ / path, viewport=size, color_scheme="dark" if look == "dark" else "light")
    if name != "class":
        page.locator(".board").first.wait_for()
    kept(page, f"grades-{name}-{look}")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g)[0]")
    assert (int(light) < 100) == (look == "dark")


def students(page: Page) -> list[str]:
    return page.locator("tbody .name").all_inner_texts()


def test_the_class_is_sorted_by_any_column_with_mouse_or_keys(visit: Visit, class_: Path) -> None:
    page = visit(class_ / "staff/index.html")
    by_name = ["Bob Longname-Hyphenated", "Dan", "Smith, Ann", "Zoë", "אבי כהן"]
    assert students(page) == by_name
    page.get_by_role("button", name="Points").click()
    by_points = ["Smith, Ann", "אבי כהן", "Zoë", "Bob Longname-Hyphenated", "Dan"]
    assert students(page) == by_points
    assert page.get_by_role("columnheader", name="Points").get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")
    assert students(page) == by_points[::-1]
    page.get_by_role("button", name="Notes").click()
    assert students(page)[:2] == ["Smith, Ann", "Bob Longname-Hyphenated"]
    page.get_by_role("button", name="Student").click()
    assert students(page) == by_name


def test_the_class_is_searched_and_leads_to_each_report(visit: Visit, class_: Path) -> None:
    page = visit(class_ / "staff/index.html")
    assert "5 students" in page.locator("header").inner_text()
    row = page.get_by_role("row").filter(has_text="Smith, Ann").inner_text()
    assert [word for word in ("13.95 / 32", "exception", "illegal-move", "Our fault: the lane is gone", "2 h late")
            if word not in row] == []  # fmt: skip
    page.get_by_label("Find students").fill("ILLEGAL ann")
    assert students(page) == ["Smith, Ann"]
    assert page.get_by_role("status").inner_text() == "1 student found"
    page.get_by_role("link", name="Smith, Ann").click()
    check(page, "Secret").wait_for()


def test_a_class_of_nobody_and_a_grade_of_nothing_say_so(visit: Visit, tmp_path: Path) -> None:
    write([], tmp_path, ["html"], staff=True)
    assert "Nobody is graded yet." in visit(tmp_path / "staff/index.html").locator("main").inner_text()
    write([Grade(student="a", key="a", course="", game="", file="", sha256="", total=0, marks=())], tmp_path, ["html"])
    assert "There is no check to show." in visit(tmp_path / "a/html/report.html").locator("main").inner_text()


EVIL = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)"><script>alert(1)</script>'
    '<image href="http://127.0.0.1:9/x.png"/><a href="javascript:alert(1)"><text>link</text></a>'
    '<rect width="9" height="9" onclick="alert(1)"/></svg>'
)


@pytest.mark.parametrize("text", [HOSTILE, "<img src=x onerror=alert(1)>" * 50_000], ids=["odd", "long"])
def test_what_strangers_wrote_is_text_and_nothing_else(
    visit: Visit, kept: Callable[[Page, str], None], tmp_path: Path, text: str
) -> None:
    first, *rest = hostile(text).marks
    drawn = msgspec.structs.replace(first, feedback=(msgspec.structs.replace(first.feedback[0], svg=EVIL),))
    of = msgspec.structs.replace(hostile(text), marks=(drawn, *rest))
    write([of, of], tmp_path, ["html"], staff=True)
    for path in (REPORT, "staff/index.html"):
        page = visit(tmp_path / path, refused="Content Security Policy", viewport={"width": 1280, "height": 800})
        if path == REPORT:
            page.locator(".board rect").click()
            kept(page, "grades-hostile" if text == HOSTILE else "grades-long")
            assert "<script>" in page.locator("body").inner_text() or "<img src=x" in page.locator("body").inner_text()
        assert page.locator("img, image, iframe, object, a[href^=javascript], script:not([type]) ~ script").count() == 0
        handlers = "[...document.querySelectorAll('*')].some(n => [...n.attributes].some(a => /^on/.test(a.name)))"
        assert not page.evaluate(handlers)
        assert not {"\x1b", "\x00", "\u202e", "\u2028"} & set(page.evaluate("document.body.innerText"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
