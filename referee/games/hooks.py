"""How a tournament speaks to a strategy: `tournament_start()` before its first game, `tournament_end(won)` at the end."""

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
