"""One match of a tournament: a game's whole specification, with its number and an id that is the hash of it all."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from referee.match import Entrant, Terms

encode = msgspec.json.Encoder(order="sorted").encode


def fingerprint(*parts: Any) -> str:
    return hashlib.sha256(encode(parts)).hexdigest()[:16]


class Seat(msgspec.Struct, frozen=True):
    """Who sits there: a name, and the hash of the file that plays under it."""

    name: str
    sha256: str
    parameters: dict[str, Any] = {}

    @classmethod
    def of(cls, entrant: Entrant) -> Seat:
        return cls(entrant.name, entrant.sha256, dict(entrant.parameters))


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What all matches of a tournament share."""

    game: str
    config: dict[str, Any]
    terms: Terms
    accept_missing_layers: bool = False


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays, in seat order, under which rules, and from which seed, which with the configuration is the board."""

    number: int
    seed: int
    seats: tuple[Seat, ...]
    rules: str  # the fingerprint of the Rules

    @property
    def id(self) -> str:
        return fingerprint(self)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)
