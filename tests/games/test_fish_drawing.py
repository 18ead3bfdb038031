"""Drawings are well formed whatever the players are called, and say in letters what they say in colors."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from referee.games.fish import Config, State, game
from referee.games.label import label

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<script>alert(1)</script>", '"><g onload="x">', "\x00\x1b[31m\ud800\u202e", "x" * 1_000_000]


def state(names: list[str], moves: int = 12, config: Config | None = None) -> State:
    made = game.setup(names, config, seed=2)
    for _ in names:
        made = made.commit(None)
    for _ in range(moves):
        made = made.commit(made.legal_moves()[0])
    return made


def words(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("moves", [0, 5, 8, 12])
def test_a_picture_stands_alone_and_names_everything(moves: int) -> None:
    made = state(["ada", "bob"], moves)
    picture = made.svg()
    assert "href" not in picture
    assert "url(" not in picture
    assert {"ada", "bob"} <= set(words(picture))
    hexagons = ElementTree.fromstring(picture).iter(f"{SVG}polygon")
    assert len(list(hexagons)) == 25
    for color in made.colors:
        assert any(color in word for word in words(picture))


def test_hostile_names_are_cut_and_escaped() -> None:
    made = state(HOSTILE)
    picture = made.svg()
    nodes = {node.tag for node in ElementTree.fromstring(picture).iter()}
    assert f"{SVG}script" not in nodes
    assert len(picture) < 100_000
    text = made.text()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert len(text) < 2000
    picture.encode()
    text.encode()


def test_the_text_shows_fish_penguins_and_holes() -> None:
    board = Config(board=((1, 0, 3), (4, 5, 1), (2, 3, 4)), colors="in order")
    made = state(["ada", "bob"], 2, board)
    assert made.text().splitlines() == [
        "Fish, placing, after turn 2, red to act",
        "",
        "  0  1R      .       3W",
        "  1      4       5       1",
        "  2  2       3       4",
        "",
        "> R   red, 0 fish, 3 to place     ada",
        "  W   white, 0 fish, 3 to place   bob",
    ]


def test_a_kicked_player_and_one_without_a_place_are_marked() -> None:
    assert "kicked" in state(["ada", "bob"]).kick("ada").text()
    small = state(["ada", "bob"], 7, Config(board=((1, 1, 1, 1, 1, 1, 1),)))
    assert "out" in small.text().splitlines()[-1]
    assert any("out" in word for word in words(small.svg()))


def test_a_large_board_and_a_single_column_can_be_drawn() -> None:
    for config in (Config(rows=20, columns=20), Config(rows=12, columns=1, holes=0), Config(rows=1, columns=9)):
        ElementTree.fromstring(state(["a", "b", "c", "d"], 2, config).svg())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ada", "ada"),
        ("abcdefghij", "abcdefg…"),
        ("abcdefg", "abcdefg"),
        ("a\nb", "a\N{REPLACEMENT CHARACTER}b"),
        ("漢字漢字漢字", "漢字漢…"),
        ("", "(no name)"),
        ("  ", "(no name)"),
    ],
)
def test_a_label_fits_and_is_printable(name: str, shown: str) -> None:
    assert label(name, 8) == shown
