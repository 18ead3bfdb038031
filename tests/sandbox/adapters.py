"""An adapter for tests: a pair of numbers goes in, their names come out."""

from __future__ import annotations

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
