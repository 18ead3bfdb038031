"""What can be configured: the size of the board, and the source of the tiles."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from referee.games.tsuro.tiles import COUNT

SIZES = range(3, 31)
LONGEST_SOURCE = 10_000

Side = Annotated[int, Meta(ge=SIZES.start, le=SIZES.stop - 1)]
Indices = Annotated[tuple[Annotated[int, Meta(ge=0, le=COUNT - 1)], ...], Meta(min_length=1, max_length=LONGEST_SOURCE)]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`tiles` are dealt 0 to 34 "in order" and over again, or "shuffled", each time round anew, by the game's
    seed, or as a list of indices says, in a circle."""

    width: Side = 10
    height: Side = 10
    tiles: Literal["in order", "shuffled"] | Indices = "in order"


def configured(config: Any) -> Config:
    """The configuration that was given, checked; a ValueError says what is wrong with it."""
    try:
        return msgspec.convert(msgspec.to_builtins({} if config is None else config), Config)
    except (msgspec.ValidationError, TypeError) as error:
        raise ValueError(f"this is no configuration for Tsuro: {error}") from None


def deal(config: Config, seed: int, start: int, count: int) -> tuple[int, ...]:
    """`count` tiles of the source, beginning with its `start`-th."""
    return tuple(_dealt(config.tiles, seed, number) for number in range(start, start + count))


def _dealt(source: str | tuple[int, ...], seed: int, number: int) -> int:
    if source == "in order":
        return number % COUNT
    if source == "shuffled":
        return _shuffled(seed, number // COUNT)[number % COUNT]
    return int(source[number % len(source)])


@lru_cache(maxsize=256)
def _shuffled(seed: int, time_round: int) -> tuple[int, ...]:
    return tuple(random.Random(f"tsuro {seed} {time_round}").sample(range(COUNT), COUNT))
