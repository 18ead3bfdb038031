"""One zygote a game for all tests of the referee, and proof that each test left no worker behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from referee import games
from referee.referee import zygote_for
from sandbox import Zygote

Zygotes = Callable[[str], Zygote]


@pytest.fixture(scope="session")
def _zygotes() -> Iterator[Zygotes]:
    with ExitStack() as stack:
        made: dict[str, Zygote] = {}

        def zygote(game: str) -> Zygote:
            if game not in made:
                made[game] = stack.enter_context(zygote_for(games.get(game)))
            return made[game]

        yield zygote


@pytest.fixture
def zygotes(_zygotes: Zygotes) -> Iterator[Zygotes]:
    used: set[Zygote] = set()

    def zygote(game: str) -> Zygote:
        used.add(_zygotes(game))
        return _zygotes(game)

    yield zygote
    for one in used:
        assert not one._workers - set(one._spares), "a worker was left behind"
