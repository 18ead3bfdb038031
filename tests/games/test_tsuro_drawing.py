"""Drawings are well formed whatever the players are called, and say in letters what they say in colours."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from referee.games.tsuro import Config, State, game

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<script>alert(1)</script>", '"><g onload="x">', "\x00\x1b[31m\ud800\u202e", "x" * 1_000_000]
NAMES = ["ada", "bob", "cyd"]


def after(turns: int, names: list[str], config: Config | None = None) -> State:
    state = game.setup(names, config, seed=4)
    while (ask := state.ask()) is not None and state.turn < turns:
        legal = [None] if ask.reply is None else ask.view.legal_moves()
        state = state.commit(legal[len(legal) // 3]) if legal else state.kick(ask.player)
    return state


def words(state: State, *, hands: bool = False) -> list[str]:
    root = ElementTree.fromstring(state.svg(hands=hands))
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("turns", [0, 2, 4, 9, 30, 500])
def test_any_state_can_be_drawn(turns: int) -> None:
    for config in (None, Config(width=3, height=4, tiles="shuffled")):
        state = after(turns, NAMES, config)
        for name in NAMES:
            assert name in words(state)
            assert name in state.text()
        assert {"W", "K", "R"} <= set(words(state))


def test_hostile_names_stay_text() -> None:
    state = after(12, HOSTILE)
    drawing = state.svg()
    assert len(drawing) < 200_000
    root = ElementTree.fromstring(drawing)
    assert not list(root.iter(f"{SVG}script"))
    assert "onload" not in {key for element in root.iter() for key in element.attrib}
    assert any(word.startswith("<script>") for word in words(state))
    assert all(letter.isprintable() or letter == "\n" for letter in state.text())
    assert max(map(len, state.text().splitlines())) < 100


def test_a_drawing_refers_to_nothing_outside_itself() -> None:
    drawing = after(20, NAMES).svg().replace("http://www.w3.org/2000/svg", "")
    for outside in ("http", "href", "url(", "<image", "<script", "<style"):
        assert outside not in drawing


def test_the_hand_is_drawn_only_when_asked_for() -> None:
    state = after(5, NAMES)
    assert "to choose from" not in words(state)
    assert "to choose from" not in state.text()
    assert words(state, hands=True)[-2:] == [str(kind) for kind in state.hand]
    assert state.text(hands=True).endswith(f"to choose from: {state.hand[0]}, {state.hand[1]}\n")


def test_everyones_fate_is_told() -> None:
    state = after(5, NAMES).kick("bob")
    assert "black: kicked" in words(state)
    assert "bob: kicked" in state.text()
    end = after(500, NAMES)
    assert any("wins" in word or "nobody outlived it" in word for word in words(end))
    assert any("fell in round" in word for word in words(end))
    assert end.text().startswith("Tsuro, game over after round")


def test_avatars_on_one_port_are_both_to_be_seen() -> None:
    saved = after(3, NAMES).save()
    saved["avatars"][1] = saved["avatars"][0]
    drawing = ElementTree.fromstring(game.load(saved).svg())
    centres = {(element.get("cx"), element.get("cy")) for element in drawing.iter(f"{SVG}circle")}
    assert len(centres) == len(list(drawing.iter(f"{SVG}circle")))


def test_the_board_in_a_terminal() -> None:
    state = game.setup(NAMES, Config(width=4, height=3, tiles=(2, 17, 34)))
    for _ in NAMES:
        state = state.commit(None)
    for (x, y), port in (((1, 0), "E"), ((3, 0), "E"), ((2, 2), "A")):
        state = state.commit([[17, 90], [x, y], port])
    assert state.text() == (
        "Tsuro, round 1, turn 4\n"
        "\n"
        "      0     1     2     3\n"
        "  0   .    17>W   .    17>K\n"
        "  1   .    [ ]    .     .\n"
        "  2   .     .    17>R   .\n"
        "\n"
        "> W white  ada: (1, 0) E, looks at (1, 1)\n"
        "  K black  bob: (3, 0) E, looks at (3, 1)\n"
        "  R red    cyd: (2, 2) A, looks at (2, 1)\n"
    )
