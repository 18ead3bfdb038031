"""Pictures become changes, and those the same pictures again."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.viewer.film import Film, changes

pictures = st.lists(st.lists(st.integers(0, 12), max_size=30), max_size=6)


def shown(film: dict[str, Any]) -> list[str]:
    """What the page makes of it."""
    lines: list[int] = []
    found = []
    for edits in film["changes"]:
        for at, gone, come in edits:
            lines[at : at + gone] = come
        found.append("".join(film["lines"][line] for line in lines))
    return found


@given(pictures)
def test_any_pictures_come_out_as_they_went_in(given_pictures: list[list[int]]) -> None:
    texts = ["".join(f"<a{number}/>\n" for number in picture) for picture in given_pictures]
    film = Film()
    for text in texts:
        film.add(text)
    assert shown(film.plain()) == texts


def test_a_picture_in_one_long_line_is_cut_where_elements_meet() -> None:
    film = Film()
    rects = [f'<rect x="{number}"/>' for number in range(1000)]
    film.add(f"<svg>{''.join(rects)}</svg>")
    rects[500] = '<rect x="500" fill="red"/>'
    film.add(f"<svg>{''.join(rects)}</svg>")
    plain = film.plain()
    assert len(plain["changes"][1]) == 1
    assert shown(plain)[1].replace("\n", "") == f"<svg>{''.join(rects)}</svg>"


def test_only_what_changed_is_told() -> None:
    old = list(range(1000))
    new = [*old[:10], 2000, *old[11:500], 2001, 2002, *old[500:]]
    assert changes(old, new) == [(500, 0, [2001, 2002]), (10, 1, [2000])]


def test_pictures_with_nothing_in_common_are_told_whole() -> None:
    assert changes(list(range(300)), list(range(1000, 1200))) == [(0, 300, list(range(1000, 1200)))]
