"""Where tiles fit on a map, judged against the rule written out plainly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games import q
from referee.games.q.map import Map
from tests.games.q_positions import at, chart, positions, tile, tiles


def fits_by_the_book(map: Map, new: q.Tile, place: q.Place) -> bool:
    row, column = place
    across = [map[near] for near in ((row, column - 1), (row, column + 1)) if near in map]
    down = [map[near] for near in ((row - 1, column), (row + 1, column)) if near in map]
    return (
        place not in map
        and bool(across + down)
        and all(
            all(near.shape == new.shape for near in line) or all(near.color == new.color for near in line)
            for line in (across, down)
        )
    )


def test_tiles_order_by_shape_and_then_by_colour() -> None:
    assert sorted(tiles("r^ p* g8 r*")) == list(tiles("r* p* g8 r^"))
    assert [str(tile) for tile in sorted(q.KINDS)][:7] == [
        "red star", "green star", "blue star", "yellow star", "orange star", "purple star", "red 8star",
    ]  # fmt: skip
    assert q.SHAPES == ("star", "8star", "square", "circle", "clover", "diamond")
    assert q.COLORS == ("red", "green", "blue", "yellow", "orange", "purple")


@pytest.mark.parametrize("words", [("red", "star"), ("star", "pink"), ("", ""), ("STAR", "red")])
def test_words_that_are_no_tile_are_refused(words: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="there is no tile"):
        q.Tile.of(*words)


@pytest.mark.parametrize(
    ("drawing", "code", "places"),
    [
        ("r*", "g*", [(-1, 0), (0, -1), (0, 1), (1, 0)]),
        ("r*", "g#", []),
        ("r* . b*", "y*", [(-1, 0), (-1, 2), (0, -1), (0, 1), (0, 3), (1, 0), (1, 2)]),
        ("r* . b*", "r#", [(-1, 0), (0, -1), (1, 0)]),  # between them it would be red here, and a star there
        ("r* .\nr# b#", "g*", [(-1, 0), (0, -1)]),  # at (0, 1) it has no blue and no square below
        ("r* .\nr# b#", "b*", [(-1, 0), (0, -1), (0, 1), (1, 2), (2, 1)]),  # each direction on its own
        ("r* r*", "r*", [(-1, 0), (-1, 1), (0, -1), (0, 2), (1, 0), (1, 1)]),  # twice the same in a line is fine
    ],
)
def test_where_a_tile_fits(drawing: str, code: str, places: list[q.Place]) -> None:
    assert chart(drawing).places_for(tile(code)) == places


@given(positions())
@settings(max_examples=30)
def test_fits_agrees_with_the_rule_everywhere_around_the_map(state: q.State) -> None:
    around = {(row + up, column + left) for row, column in state.map for up in (-2, 0, 1) for left in (-1, 0, 2)}
    around |= {(row + up, column) for row, column in state.map for up in (-1, 1)}
    for new in (q.KINDS[0], q.KINDS[8], q.KINDS[22]):
        fitting = {place for place in around if fits_by_the_book(state.map, new, place)}
        assert {place for place in around if state.map.fits(new, place)} == fitting
        found = state.map.places_for(new)
        assert found == sorted(found)
        assert all(fits_by_the_book(state.map, new, place) for place in found)
        assert fitting <= set(found)


@given(positions())
@settings(max_examples=30)
def test_a_map_that_grew_is_the_same_as_one_made_at_once(state: q.State) -> None:
    fresh = Map(dict(reversed(state.map.tiles.items())))
    assert fresh == state.map
    for new in q.KINDS:
        assert fresh.places_for(new) == state.map.places_for(new)


def test_put_leaves_the_old_map_alone() -> None:
    before = chart("r*")
    after = before.put(*at(0, 1, "r#"))
    assert (0, 1) not in before
    assert before.places_for(tile("b#")) == []
    assert after[0, 1] == tile("r#")
    assert after.places_for(tile("b#")) == [(-1, 1), (0, 2), (1, 1)]


@given(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from(q.KINDS))
def test_a_single_tile_takes_only_what_shares_shape_or_colour(row: int, column: int, new: q.Tile) -> None:
    lone = tile("r*")
    touching = abs(row) + abs(column) == 1
    shares = new.shape == lone.shape or new.color == lone.color
    assert chart("r*").fits(new, (row, column)) == (touching and shares)


def test_segments_run_as_far_as_tiles_touch() -> None:
    map = chart("r* r# . r%\n.  g#")
    assert map.segment((0, 0), down=False) == [(0, 0), (0, 1)]
    assert map.segment((1, 1), down=True) == [(0, 1), (1, 1)]
    assert map.segment((0, 3), down=False) == [(0, 3)]
    assert sorted(map.neighbours((0, 1))) == sorted(tiles("r* g#"))
