"""The picture and the text of any state: well formed, complete, and safe with any name."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import msgspec
import pytest
from hypothesis import given, settings

from referee.games import q
from referee.games.q import drawing
from referee.games.q.map import Map
from referee.games.q.tiles import KINDS
from tests.games.q_positions import at, positions, table

SVG = "{http://www.w3.org/2000/svg}"


def titles(picture: str) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(picture).iter(f"{SVG}title")]


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@given(positions())
@settings(max_examples=30)
def test_every_tile_and_player_is_in_the_picture(state: q.State) -> None:
    picture = state.svg()
    assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
    shown = titles(picture)
    assert [f"{tile} at {place}" for place, tile in state.map.tiles.items()] == shown[1:]
    assert set(state.players) <= set(words(picture))
    text = state.text()
    assert all(player in text for player in state.players)
    assert all(f"{points} point" in text for points in state.points)


def test_hands_are_shown_only_when_asked_for() -> None:
    state = table(["r# b%", "g%"])
    assert "green clover" not in titles(state.svg())
    assert titles(state.svg(hands=True))[-3:] == ["red square", "blue clover", "green clover"]
    assert "G%" not in state.text()
    assert "G%" in state.text(hands=True)


def test_each_kind_looks_different_even_without_colour() -> None:
    assert len({re.sub(r'fill="#\w+"', "", drawing.tile_svg(tile, 0, 0, 40)) for tile in KINDS}) == 36


HOSTILE = ["<script>alert(1)</script>", 'a"b&c', "\x1b[31mred\x00", "\u202egnp.exe", "\ud800", "x" * 1_000_000]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_cut_and_escaped(name: str) -> None:
    state = q.game.setup([name, "B"]).commit(None).commit(None).commit("pass").kick("B")
    picture, text = state.svg(hands=True), state.text(hands=True)
    ElementTree.fromstring(picture.encode())
    assert "<script" not in picture
    assert len(picture) < 50_000
    assert len(text) < 5_000
    for shown in (picture, text):
        assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(shown)


def test_the_text_is_a_map_with_coordinates() -> None:
    state = table(["r# b%", "g%"], drawing="r* r#\n. g#").commit((at(0, 2, "r#"),))
    lines = state.text().splitlines()
    assert lines[0] == "Q, turn 2, 0 tiles in the pile"
    assert lines[2:5] == ["   0  1  2", "0 R* R# R#", "1  . G#  ."]
    assert "> A  4 points, 1 tile, placed 1 for 4" in lines


def test_a_map_scattered_far_is_told_as_a_list_and_drawn_in_bounds() -> None:
    far = Map({(0, 0): KINDS[0], (10**6, -(10**6)): KINDS[7]})
    state = msgspec.structs.replace(table(["r#", "g%"]), map=far)
    assert "(1000000, -1000000) green 8star" in state.text()
    assert len(state.text()) < 1_000
    assert len(state.svg()) < 10_000


def test_the_end_names_the_winner() -> None:
    state = table(["r#", "g%"]).commit((at(0, 1, "r#"),))
    assert "7 points, 0 tiles, wins" in words(state.svg())
    assert state.text().startswith("Q, over after turn 1")
