"""An adapter for tests: a pair of numbers goes in, their names come out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class Pair(msgspec.Struct):
    left: int
    right: int

    def total(self) -> int:
        return self.left + self.right


class _PairAdapter:
    def arguments(self, method: str, payload: bytes) -> tuple[Any, ...]:
        return (msgspec.msgpack.decode(payload, type=Pair),)

    def answer(self, method: str, value: Any) -> Any:
        return {"total": value.total()} if isinstance(value, Pair) else value


def pairs() -> _PairAdapter:
    return _PairAdapter()


calls: list[str] = []


def made_ready() -> Callable[[], None]:
    """For `preload`: notes that it was called, and is to be called on."""
    calls.append("in the zygote")
    return lambda: calls.append("in the worker")
