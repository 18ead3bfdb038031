"""A game in the terminal: in colour and in place where that can be, as plain text elsewhere."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from referee import games
from referee.events import Event, Kicked, Started
from referee.games.tsuro.terminal import TINTS
from referee.watching import Watch, drawing
from sandbox import Ending, Verdict
from tests.referee.table import strategy, trusted, watched

COLOURS = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def events(game: str, *names: str) -> list[Event]:
    return watched(game, [trusted(name, strategy(game)) for name in names or ("ann", "bob", "cyd")])


def shown(told: list[Event], environ: dict[str, str], *, terminal: bool = True, live: bool = True) -> str:
    """What a terminal of such an environment gets to see."""
    stream = io.StringIO()
    console = Console(
        file=stream, force_terminal=terminal, width=100, height=40, _environ=environ, legacy_windows=False
    )
    with Watch(console, live=live, pace=0) as watch:
        for event in told:
            watch(event)
    return stream.getvalue()


def rendered(event: Event, height: int | None = None) -> list[str]:
    """Its lines, without colour."""
    console = Console(file=io.StringIO(), width=100, height=40, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(drawing(event, height))
    return capture.get().splitlines()


@pytest.mark.parametrize("game", ["fish", "q", "tsuro"])
def test_a_terminal_with_colours_draws_each_board_in_place(game: str) -> None:
    told = events(game)[:8]
    seen = shown(told, COLOURS)
    assert seen.count("╭─") >= len(told)
    assert "\x1b[1A" in seen  # it goes up again to draw the next over it
    assert re.search(r"\x1b\[1;38;2;\d+;\d+;\d+;48;2;\d+;\d+;\d+m", seen)


@pytest.mark.parametrize(
    ("environ", "terminal"),
    [({**COLOURS, "NO_COLOR": "1"}, True), ({"TERM": "dumb"}, True), (COLOURS, False)],
    ids=["NO_COLOR", "dumb", "no terminal"],
)
def test_elsewhere_the_boards_follow_each_other_as_plain_text(environ: dict[str, str], terminal: bool) -> None:
    told = events("fish")
    seen = shown(told, environ, terminal=terminal)
    assert "\x1b" not in seen
    assert all(event.state.text() in seen for event in told)
    assert seen.count("Fish, ") == len(told)


def test_where_somebody_types_the_boards_follow_each_other_in_colour() -> None:
    told = events("fish")
    seen = shown(told, COLOURS, live=False)
    assert seen.count("╭─") == len(told)
    assert "\x1b[1;38;2;" in seen
    assert not re.search(r"\x1b\[\d*[A-HJKh-l]", seen)  # the cursor is left alone


def chips(event: Event) -> list[tuple[str, str]]:
    """What has a colour of its own in a drawing, and the ground it stands on."""
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", _environ={})
    found = []
    for segment in console.render(drawing(event)):
        if segment.style is not None and segment.style.bgcolor is not None:
            found.append((segment.text, segment.style.bgcolor.name))
    return found


def test_penguins_have_the_colour_of_their_player() -> None:
    config = games.get("fish").config(colors="in order")
    told = watched("fish", [trusted(name, strategy("fish")) for name in ("ann", "bob")], config=config)
    found = chips(told[-1])
    assert {text.lstrip("12345") for text, _ in found} == {"R", "W"}
    assert {ground for text, ground in found if text.endswith("R")} == {"#b84a00"}
    assert {ground for text, ground in found if text.endswith("W")} == {"#f2f2f2"}
    assert len(found) == 2 + sum(len(player.penguins) for player in told[-1].state.public().players)


def test_tiles_of_q_have_their_colours() -> None:
    told = events("q")
    state: Any = told[-1].state
    found = [text for text, _ in chips(told[-1]) if len(text) == 2]
    assert len(found) == len(state.map.tiles)


def test_avatars_that_share_a_tile_have_each_their_colour() -> None:
    class Crowded:
        players = ("ann", "bob")

        def text(self) -> str:
            return "Tsuro\n\n  0   23^WK   3>\n\n  W white  GRB: here\n> K black  x: here\n"

        def tints(self) -> dict[str, str]:
            return TINTS

    crowded: Any = Crowded()
    assert [text for text, _ in chips(Event(state=crowded))] == ["W", "K", "W", "K"]


def test_a_game_that_says_nothing_of_colours_is_drawn_all_the_same() -> None:
    class Bare:
        players = ("ann", "bob")

        def text(self) -> str:
            return "Nim, turn 3\n\n. | |\n\n> ann\n  bob\n"

    bare: Any = Bare()
    lines = rendered(Started(state=bare))
    assert lines[0].startswith("╭─ Nim, turn 3 ")
    assert lines[1].strip("│ ") == ". | |"
    assert lines[-1] == "started: ann, bob"


@pytest.mark.parametrize("height", [3, 5, 10, 16, 24])
def test_a_board_that_is_too_high_leaves_room_for_who_plays(height: int) -> None:
    event = events("q", "ann", "bob", "cyd")[-1]
    lines = rendered(event, height)
    assert len(lines) <= max(height, 4)
    assert lines[-1].startswith("ended: ")
    if height >= 16:
        assert all(any(name in line for line in lines[:-1]) for name in ("ann", "bob", "cyd"))


def test_what_strangers_chose_cannot_steer_the_terminal() -> None:
    hostile = "[red]x[/]\x1b[2J\x07\u202e" + "y" * 10_000
    state: Any = games.get("fish").setup([hostile, "b"])
    verdict = Verdict(ending=Ending.EXCEPTION, detail="\x1b]0;title\x07[bold]" + "z" * 1000, method="movement")
    lines = rendered(Kicked(state=state, player=hostile, verdict=verdict, turn=1))
    assert all(line.isprintable() and cell_len(line) <= 100 for line in lines)
    assert any("[red]x[/]" in line for line in lines)


def test_the_rest_is_not_shown_when_the_game_is_broken_off() -> None:
    told = events("fish")
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100, _environ=COLOURS, legacy_windows=False)

    def broken_off() -> None:
        with Watch(console, pace=3600) as watch:
            for event in told:
                watch(event)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert stream.getvalue().count("╭─") <= 2  # the last once more, when the screen is given back
