"""One game's whole specification: who plays what, under which limits, from which seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from referee.games.game import Game
from referee.player import Player
from sandbox import Budget, Limits, Submission


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What every player of a game is given: time and room."""

    move: Budget = Budget(cpu=5.0)
    setup: Budget = Budget(cpu=10.0)  # for `setup`; loading has the same
    limits: Limits = Limits()
    allow: tuple[str, ...] = ()  # packages beyond the standard library; the zygote has them: see `zygote_for`

    def budget(self, method: str) -> Budget:
        return self.setup if method == "setup" else self.move


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who is to play: a name, and what plays under it.

    `source` is a Submission, or a class or function that travels into the box by value. With `sit`, which makes
    a Player of a name and a game, no box is used: a person, or a strategy that is trusted in this process.
    """

    name: str
    source: Submission | type | Callable[..., Any] | None = None
    given: str = ""  # as the user named it: a path, or a reference strategy
    parameters: Mapping[str, Any] = {}
    sit: Callable[[str, Game], Player] | None = None

    @property
    def sha256(self) -> str:
        return self.source.sha256 if isinstance(self.source, Submission) else ""


def derived(seed: int, *purpose: object) -> int:
    """A seed of its own for each purpose, which tells nothing of the others."""
    text = "/".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
