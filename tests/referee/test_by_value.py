"""A strategy that is an object of a notebook and cannot travel: its author is told, before any game begins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.match import Entrant
from referee.referee import Referee
from sandbox import SubmissionError
from tests.referee.table import reference


def holding_a_lock() -> type:
    lock = threading.Lock()

    class Notebook:
        def movement(self, view: Any) -> Any:
            with lock:
                return view.legal_moves()[0]

    return Notebook


def holding_what_refuses() -> Callable[[Any], Any]:
    class Stubborn:
        def __reduce__(self) -> str:
            raise ZeroDivisionError("\x1b[2J never")

    stubborn = Stubborn()
    return lambda view: stubborn


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (holding_a_lock(), r"holding_a_lock.*Notebook cannot be sent into a box: TypeError: .*lock.*in its methods"),
        (holding_what_refuses(), r"ZeroDivisionError: \\x1b\[2J never"),
    ],
)
def test_what_cannot_be_pickled_is_its_authors_mistake(source: Any, words: str, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with pytest.raises(SubmissionError, match=words):
        Referee(games.get("fish"), [Entrant("a", source), reference("fish", "b")], record=str(record))
    assert not record.exists(), "no game has begun"


def test_it_is_a_value_error_as_every_mistake_of_a_user_is() -> None:
    with pytest.raises(ValueError, match="cannot be sent into a box"):
        Referee(games.get("fish"), [Entrant("a", holding_a_lock()), reference("fish", "b")])
