"""How a tournament speaks to a strategy: `tournament_start()` before its games, `tournament_end(won)` after them."""

from __future__ import annotations

import msgspec


class _Hooks:
    def arguments(self, method: str, payload: bytes) -> tuple[bool, ...]:
        won = msgspec.msgpack.decode(payload, type=bool | None)
        return () if won is None else (won,)

    def answer(self, method: str, value: object) -> None:
        return None  # whatever it says, nobody asked


def adapter() -> _Hooks:
    return _Hooks()
