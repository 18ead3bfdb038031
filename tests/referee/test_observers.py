"""The logger and the picture writer."""

from __future__ import annotations

import datetime
import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.events import Ended, Event, Kicked, Moved, Started
from referee.observers import Logger, MissingExtra, Pictures, line, picture, png_drawer
from sandbox import Ending, Usage, Verdict
from tests.referee.table import strategy, trusted, watched

try:
    png_drawer()
    HAS_PNG = True
except MissingExtra:
    HAS_PNG = False


def told(*names: str) -> list[Event]:
    return watched("fish", [trusted(name, strategy("fish")) for name in names])


def test_the_logger_writes_a_line_an_event_with_the_time() -> None:
    stream = io.StringIO()
    events = told("ann", "bob")
    log = Logger(stream, now=lambda: datetime.datetime(2030, 1, 2, 12, 0, 1, 250_000))
    for event in events:
        log(event)
    lines = stream.getvalue().splitlines()
    assert len(lines) == len(events)
    assert lines[0] == "12:00:01.250  started: ann, bob"
    assert re.fullmatch(r"12:00:01\.250  turn 1: ann: placement \[\d,\d\] \(\d+\.\d ms\)", lines[1])
    assert re.fullmatch(r"12:00:01\.250  ended: (ann|bob|ann and bob)(, then (ann|bob))?", lines[-1])


def test_the_loggers_clock_is_the_time_of_day() -> None:
    stream = io.StringIO()
    before = datetime.datetime.now().time().replace(microsecond=0)
    Logger(stream)(told("a", "b")[0])
    after = datetime.datetime.now().time()
    written = datetime.time.fromisoformat(stream.getvalue().split()[0])
    assert before <= written <= after or after < before  # midnight


def test_a_kick_is_logged_with_its_verdict() -> None:
    state = told("a", "b")[0].state
    verdict = Verdict(ending=Ending.EXCEPTION, detail="KeyError: 3", method="movement", file="a.py", line=7)
    event = Kicked(state=state, player="a", verdict=verdict, turn=4)
    assert line(event) == "turn 4: a is kicked in movement: exception: KeyError: 3 (a.py, line 7)"


def test_nothing_a_stranger_chose_reaches_the_terminal_raw() -> None:
    hostile = "x\x1b[2J\u202e" + "y" * 100_000
    state: Any = games.get("fish").setup([hostile, "b"])
    verdict = Verdict(ending=Ending.EXCEPTION, detail="\x1b]0;title\x07", method="movement")
    used = Usage(0.0, 0.0, 0, 0)
    result: Any = type("R", (), {"ranking": [{hostile}, set()]})
    for event in (
        Started(state=state),
        Moved(state=state, player=hostile, method="movement", action=["\x1b[2J"] * 1000, used=used),
        Kicked(state=state, player=hostile, verdict=verdict, turn=1),
        Ended(state=state, result=result),
    ):
        shown = line(event)
        assert shown.isprintable()
        assert len(shown) < 500


def test_an_empty_rank_is_nobody() -> None:
    state: Any = games.get("fish").setup(["a", "b"])
    result: Any = type("R", (), {"ranking": [set(), {"b"}]})
    assert line(Ended(state=state, result=result)) == "ended: nobody, then b"
    result.ranking = []
    assert line(Ended(state=state, result=result)) == "ended: nobody is left"


def test_the_picture_writer_draws_every_event(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    draw = Pictures(folder)
    events = told("a", "b")
    for event in events:
        draw(event)
    files = sorted(folder.iterdir())
    assert len(files) == len(events)
    assert [files[0].name, files[1].name, files[-1].name] == [
        "0000-started.svg",
        "0001-placed.svg",
        f"{len(events) - 1:04}-ended.svg",
    ]
    assert files[1].read_text() == events[1].state.svg()


@pytest.mark.skipif(not HAS_PNG, reason="the extra `png` is not installed")
def test_pictures_are_drawn_as_png_too(tmp_path: Path) -> None:
    draw = Pictures(tmp_path, png=True)
    draw(told("a", "b")[0])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0000-started.png", "0000-started.svg"]
    assert (tmp_path / "0000-started.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_without_the_extra_a_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'referee\[png\]'"):
        Pictures(tmp_path, png=True)
    state = told("a", "b")[0].state
    with pytest.raises(MissingExtra, match="SVG pictures need neither"):
        picture(tmp_path / "board.png", state)
    picture(tmp_path / "board.svg", state)
    assert (tmp_path / "board.svg").read_text() == state.svg()


def test_nobody_else_needs_the_extra() -> None:
    import subprocess

    script = "import sys, referee.observers, referee.cli.replay; assert 'cairosvg' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
