"""Observers behind their queues: told in order, and dropped without the game noticing when they fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from referee import gallery, games
from referee.events import Ended, Event, Observer, Started
from referee.gallery import Gallery
from referee.referee import Referee
from tests.referee.table import strategy, trusted


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "_PATIENCE", 0.3)


@pytest.fixture
def stuck() -> Iterator[threading.Event]:
    """What a hanging observer waits for; it is let go after the test."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def hangs(stuck: threading.Event) -> Observer:
    def observer(event: Event) -> None:
        stuck.wait(60)

    return observer


def show(observers: list[Observer], told: list[Event]) -> None:
    seats = Gallery(observers)
    for event in told:
        seats.tell(event)
    seats.close()


def events(count: int) -> list[Event]:
    state: Any = games.get("fish").setup(["a", "b"])
    return [Started(state=state, call=number) for number in range(count)]


def test_everybody_is_told_everything_in_order() -> None:
    first: list[Event] = []
    second: list[Event] = []
    told = events(500)
    show([first.append, second.append], told)
    assert first == second == told


@pytest.mark.parametrize("error", [ValueError("not today"), SystemExit(), KeyboardInterrupt()])
def test_one_that_raises_is_dropped_with_a_warning_and_the_others_stay(error: BaseException) -> None:
    calls: list[Event] = []
    others: list[Event] = []

    def raises(event: Event) -> None:
        calls.append(event)
        raise error

    with pytest.warns(RuntimeWarning, match=rf"raises was dropped: {type(error).__name__}"):
        show([raises, others.append], events(5))
    assert len(calls) == 1
    assert len(others) == 5


def test_one_that_hangs_is_dropped_with_a_warning(hangs: Observer) -> None:
    others: list[Event] = []
    with pytest.warns(RuntimeWarning, match="was dropped: it hangs"):
        show([hangs, others.append], events(5))
    assert len(others) == 5


def test_several_that_hang_are_waited_for_together(hangs: Observer) -> None:
    begun = time.monotonic()
    with pytest.warns(RuntimeWarning, match="it hangs"):
        show([hangs] * 20, events(1))
    assert time.monotonic() - begun < 3.0  # not twenty times the patience


def test_one_that_is_too_far_behind_is_dropped_and_told_no_more(
    monkeypatch: pytest.MonkeyPatch, stuck: threading.Event
) -> None:
    monkeypatch.setattr(gallery, "_ROOM", 3)
    calls: list[Event] = []
    called = threading.Event()

    def slow(event: Event) -> None:
        calls.append(event)
        called.set()
        stuck.wait(60)

    seats = Gallery([slow])
    seats.tell(events(1)[0])
    assert called.wait(60)
    with pytest.warns(RuntimeWarning, match="was dropped: it is too far behind"):
        list(map(seats.tell, events(10)))
    stuck.set()
    seats.close()
    assert len(calls) == 1


def test_a_repr_that_raises_disturbs_nobody() -> None:
    class Rude:
        def __call__(self, event: Event) -> None:
            raise ValueError

        def __repr__(self) -> str:
            raise RuntimeError

    with pytest.warns(RuntimeWarning, match="Rude was dropped: ValueError"):
        show([Rude()], events(1))


def test_the_game_goes_on_whatever_its_observers_do(hangs: Observer) -> None:
    def raises(event: Event) -> None:
        raise ValueError

    told: list[Event] = []
    referee = Referee(games.get("fish"), [trusted(name, strategy("fish")) for name in "ab"])
    referee.subscribe(raises)
    referee.subscribe(hangs)
    referee.subscribe(told.append)
    with pytest.warns(RuntimeWarning, match="was dropped") as dropped:
        result = referee.run()
    assert result.state.is_over
    assert isinstance(told[-1], Ended)
    assert len([warning for warning in dropped if issubclass(warning.category, RuntimeWarning)]) == 2
