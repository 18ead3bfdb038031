"""course.toml: what it says, and that every mistake in it is told with its line."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from referee import games
from referee.grading.course import Keep, Late, read
from referee.grading.located import TomlError
from referee.grading.rubric import Beats, Scenario, Visibility
from referee.grading.template import template
from referee.match import derived
from tests.grading.courses import HONEST, run

WHOLE = """\
title = "Autumn"
game = "fish"
seed = 7
timezone = "UTC"

[config]
rows = 4
columns = 4

[limits]
time = 0.5
memory = "64M"

[deadline]
due = 2026-12-01T23:59:00Z
late = "reduced"
percent_per_day = 20
[deadline.extensions]
ann = 2026-12-03 23:59:00
"Bob B." = 2026-12-05T00:00:00+01:00

[policy]
keep = "best"
per_hour = 5

[rubric]
total = 55.5

[[rubric.check]]
kind = "admitted"
points = 10
loads = 2

[[rubric.check]]
kind = "beats"
opponent = "greedy"
points = 20
bands = [
  { rate = 0.5, points = 10 },  # a comment, [with] {brackets}
  { rate = 0.8, points = 20 },
]

[[rubric.check]]
kind = "beats"
name = "beats mine"
opponent = "rivals/mine.py"
games = 10
points = 5.5
visibility = "hidden"

[[rubric.check]]
kind = "scenario"
state = "start.json"
answers = [[0, 0], [1, 1]]
partial = [{ answers = [[2, 2]], points = 1 }]
points = 5

[[rubric.check]]
kind = "speed"
points = 10
bands = [{ ms = 1.0, points = 10 }, { ms = 5, points = 5 }]

[[rubric.check]]
kind = "placing"
points = 5
bands = [{ top = 3, points = 5 }, { top_percent = 50, points = 2 }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rivals").mkdir()
    (tmp_path / "rivals" / "mine.py").write_text(HONEST)
    (tmp_path / "rivals" / "away.py").symlink_to("/etc/hostname")
    fish = games.get("fish")
    config = msgspec.convert({"rows": 4, "columns": 4, "holes": 0}, fish.config)
    start = fish.setup(["a", "b"], config, derived(0, "rules"))
    (tmp_path / "start.json").write_bytes(msgspec.json.encode(start.save()))
    (tmp_path / "broken.json").write_text("{}")
    return tmp_path


def test_a_course_says_what_its_file_says(folder: Path) -> None:
    (folder / "course.toml").write_text(WHOLE)
    course = read(folder)
    assert (course.title, course.rules.name, course.seed) == ("Autumn", "fish", 7)
    assert (course.settings.rows, course.terms.move.cpu, course.terms.limits.memory) == (4, 0.5, 64 << 20)
    assert course.deadline.late is Late.REDUCED
    assert course.deadline.extensions["ann"] == datetime(2026, 12, 3, 23, 59, tzinfo=UTC)
    assert course.deadline.extensions["Bob B."] == datetime(2026, 12, 4, 23, tzinfo=UTC)
    assert course.policy.keep is Keep.BEST
    titles = [check.title for check in course.rubric.checks]
    assert titles == ["admitted", "beats greedy", "beats mine", "scenario start.json", "speed", "placing"]


def test_opponents_and_positions_of_a_rubric_can_be_used(folder: Path) -> None:
    (folder / "course.toml").write_text(WHOLE)
    course = read(folder / "course.toml")
    rivals = [course.opponent(check) for check in course.rubric.checks if isinstance(check, Beats)]
    assert [rival.name for rival in rivals] == ["greedy", "rivals/mine.py"]
    assert all(rival.sha256 for rival in rivals)
    (scenario,) = [check for check in course.rubric.checks if isinstance(check, Scenario)]
    position = course.position(scenario)
    assert position.ask.method == "placement"
    assert position.state.check(position.action([0, 0])) is None


def test_a_rubric_alone_needs_neither_deadline_nor_policy(folder: Path) -> None:
    rubric = folder / "rubric.toml"
    rubric.write_text('game = "q"\n[rubric]\ntotal = 5\n[[rubric.check]]\nkind = "admitted"\npoints = 5\n')
    course = read(rubric)
    assert (course.deadline.due, course.deadline.late) == (None, Late.REFUSED)
    assert course.rubric.checks[0].visibility is Visibility.VISIBLE


def test_times_without_an_offset_are_in_the_courses_zone(folder: Path) -> None:
    text = WHOLE.replace('timezone = "UTC"', 'timezone = "Europe/Berlin"')
    (folder / "course.toml").write_text(text)
    assert read(folder).deadline.extensions["ann"] == datetime(2026, 12, 3, 22, 59, tzinfo=UTC)


# What stands in the file, what stands there instead, where the line begins that is told ("": with that), what is said.
AGAIN = '[[rubric.check]]\nkind = "beats"\nname'
MISTAKES = {
    "syntax": ("[rubric]", "[rubric", "", "Expected ']'"),
    "unknown key on top": ('title = "Autumn"', 'titel = "Autumn"', "", "did you mean `title`?"),
    "unknown key in a check": ("opponent = \"greedy\"", "oponent = \"greedy\"", "", "did you mean `opponent`?"),
    "unknown key in a band": ("rate = 0.8,", "rat = 0.8,", "", "did you mean `rate`?"),
    "unknown setting": ("rows = 4", "row = 4", "", "did you mean `rows`?"),
    "unknown game": ('"fish"', '"go"', "", "the games here are fish, q, tsuro"),
    "unknown zone": ('"UTC"', '"Mars"', "", "no time zone 'Mars'"),
    "unknown kind": ('kind = "speed"', 'kind = "sped"', "", "'scenario', 'speed', 'memory'"),
    "no kind": ('kind = "speed"\n', "", "[[rubric.check]]\npoints = 10\nbands", "`kind` is missing"),
    "unknown policy": ('"best"', '"first"', "", "`keep` cannot be 'first'; choose one of 'last', 'best'"),
    "unknown visibility": ('"hidden"', '"secret"', "", "'after-published'"),
    "wrong type": ("seed = 7", 'seed = "7"', "", "`seed` must be a whole number, not text in quotes"),
    "impossible setting": ("rows = 4", "rows = 0", "[config]", "at least one row"),
    "a table too small": ("rows = 4", "rows = 1", "[config]", "do not fit a table of 2"),
    "no time": ("time = 0.5", "time = 0", "[limits]", "cpu must be a positive number"),
    "negative time": ("time = 0.5", "time = -1", "", "`time` must be a number of at least 0"),
    "no amount": ('"64M"', '"lots"', "", "'lots' is no amount of memory"),
    "little memory": ('"64M"', '"1K"', "[limits]", "memory must be at least"),
    "no package": ("seed = 7", 'allow = ["json", "nopackage"]', "", "no package 'nopackage'"),
    "our own players": ("seed = 7", 'allow = ["players"]', "", "nobody may hand in our reference strategies"),
    "no time of day": ("2026-12-03 23:59:00", "2026-12-03", "", "`ann` must be a date with a time"),
    "an early extension": ("2026-12-03 23:59:00", "2026-11-03 23:59:00", "", "ends before the due date"),
    "nothing to extend": ("due = 2026-12-01T23:59:00Z\n", "", "[deadline.extensions]", "no date `due` to extend"),
    "percent": ("percent_per_day = 20", "percent_per_day = 120", "", "at most 100"),
    "negative limit": ("per_hour = 5", "per_hour = -1", "", "at least 0"),
    "a wrong sum": ("total = 55.5", "total = 50", "", "add up to 55.5 points, not to the total of 50"),
    "no total": ("total = 55.5\n", "", "[rubric]", "`total` is missing"),
    "negative points": ("points = 20\n", "points = -20\n", "", "`points` must be a number of at least 0"),
    "endless points": ("points = 20\n", "points = inf\n", "", "at most"),
    "no number": ("points = 20\n", "points = nan\n", "", "points"),
    "a rate over 1": ("rate = 0.8", "rate = 1.8", "", "at most 1"),
    "a negative rate": ("rate = 0.5", "rate = -0.5", "", "at least 0"),
    "bands out of order": ("rate = 0.8", "rate = 0.3", "", "0.3 cannot follow 0.5"),
    "bands beyond the points": ("points = 20 }", "points = 30 }", "", "the check only has 20"),
    "bands short of the points": ("points = 20 }", "points = 15 }", "", "nobody could earn the rest"),
    "a harder band for less": ("points = 10 }", "points = 20 }", "{ rate = 0.8", "gives only 20"),
    "a slower band for more": ("{ ms = 5, points = 5 }", "{ ms = 5, points = 10 }", "bands = [{ ms", "gives only 10"),
    "no bands": ("bands = [{ ms = 1.0, points = 10 }, { ms = 5, points = 5 }]", "bands = []", "", "at least 1"),
    "no time at all": ("ms = 1.0", "ms = 0", "", "more than 0"),
    "neither top nor percent": ("{ top = 3, ", "{ ", "bands = [{ points", "either `top` or `top_percent`"),
    "loads beyond the points": ("loads = 2", "loads = 12", "", "a part of them"),
    "no games": ("games = 10", "games = 0", "", "`games` must be a whole number of at least 1"),
    "two of one name": ('name = "beats mine"', 'name = "beats greedy"', AGAIN, "give each its own `name`"),
    "an unknown opponent": ('"greedy"', '"gredy"', "", "did you mean 'greedy'?"),
    "a person": ('"greedy"', '"human"', "", "a person cannot be asked"),
    "an unknown parameter": ('"greedy"', '"minimax:width=2"', "", "no parameter 'width'"),
    "a missing opponent": ("rivals/mine.py", "rivals/yours.py", "", "there is no"),
    "an opponent outside": ("rivals/mine.py", "../mine.py", "", "stay inside it"),
    "an absolute opponent": ("rivals/mine.py", "/etc/mine.py", "", "stay inside it"),
    "a link to outside": ("rivals/mine.py", "rivals/away.py", "", "stay inside it"),
    "a missing state": ("start.json", "end.json", "", "there is no"),
    "no state": ("start.json", "broken.json", "", "no saved state of fish"),
    "an impossible answer": ("[1, 1]]", "[9, 9]]", "", "[9, 9] is not possible"),
    "no answer": ("[1, 1]]", "[[1, 1], [1, 1]]]", "", "no answer to placement"),
    "an answer twice": ("[[2, 2]]", "[[1, 1]]", "", "listed twice"),
    "a part that is more": ("points = 1 }", "points = 9 }", "", "the best of all only 5"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_file_and_line(name: str, folder: Path) -> None:
    before, after, place, said = MISTAKES[name]
    assert before in WHOLE
    path = folder / "course.toml"
    text = WHOLE.replace(before, after, 1)
    path.write_text(text)
    line = text[: text.index(place or after)].count("\n") + 1
    with pytest.raises(TomlError) as error:
        read(folder)
    assert str(error.value).startswith(f"{path}:{line}: "), error.value
    assert said in str(error.value)
    assert str(error.value).endswith((".", "?"))


def test_lines_are_right_after_texts_and_keys_of_every_kind(folder: Path) -> None:
    lines = [
        'title = """', "[rubric]", '\\"""', '"""', "\"game\" = 'fish'", "config = { rows = 4, columns = 4 }",
        "[rubric] # total", "total = 2", "[[rubric.check]]", 'kind = "admitted"', '"points" = 1',
        "[[ rubric . check ]]", "kind = '''beats'''", "'opponent' = 'greedy'", "bands = [",
        "  {rate = 0.5, points = 'x'}]",
    ]  # fmt: skip
    for end in ("\n", "\r\n"):
        (folder / "course.toml").write_bytes(end.join(lines).encode())
        with pytest.raises(TomlError, match=r":16: `points` must be a number"):
            read(folder)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"game = 'fish'\n# \xe9\n", b"x" * (2 << 20), b"a = " + b"[" * 5000])
def test_a_file_that_is_no_toml_is_refused_in_a_sentence(content: bytes, folder: Path) -> None:
    (folder / "course.toml").write_bytes(content)
    with pytest.raises(TomlError, match=r"course\.toml"):
        read(folder)


@pytest.mark.parametrize("game", games.names())
def test_the_template_works_as_it_is_for_every_game(game: str, tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(template(games.get(game), 'a "quoted" title'))
    course = read(tmp_path)
    assert course.title == 'a "quoted" title'
    assert course.rubric.total == 100
    assert len(course.rubric.checks) == 6


def test_what_the_template_says_in_comments_can_be_set(tmp_path: Path) -> None:
    text = template(games.get("fish"), "x")
    for commented in ("due =", '"Ann', "rows ="):
        text = text.replace(f"# {commented}", commented)
    (tmp_path / "course.toml").write_text(text)
    assert [*read(tmp_path).deadline.extensions] == ["Ann Example"]


def test_a_new_course_is_made_and_never_overwritten(tmp_path: Path) -> None:
    place = tmp_path / "courses" / "autumn"
    assert run("course", "new", place, "--game", "fish").exit_code == 0
    (place / "course.toml").write_text("mine")
    again = run("course", "new", place, "--game", "fish")
    assert (again.exit_code, (place / "course.toml").read_text()) == (2, "mine")
    assert "is there already" in again.output
    assert "There is no game 'go'" in run("course", "new", tmp_path / "b", "--game", "go").output
    assert not (tmp_path / "b").exists()


def test_a_folder_that_is_no_course_is_a_mistake_in_words(tmp_path: Path) -> None:
    for words in (["submissions", tmp_path], ["submissions", tmp_path / "none"], ["publish", tmp_path]):
        done = run(*words)
        assert done.exit_code == 2
        assert "referee course new" in done.output
