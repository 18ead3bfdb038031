"""A tournament's specification: all that decides its results, kept in its journal."""

from __future__ import annotations

import msgspec

from referee.match import derived
from referee.tournament.formats import Plan
from referee.tournament.match import Match, Rules, Seat, fingerprint
from referee.tournament.outcome import Pairing

_DIFFERENCES = {"rules": "limits or settings of the game", "format": "format", "plan": "seats, games or rounds"}


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays, what, and how it is arranged."""

    rules: Rules
    format: str
    plan: Plan
    seed: int
    players: tuple[Seat, ...]

    @property
    def fingerprint(self) -> str:
        return fingerprint(self)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def difference(self, other: Spec) -> str:
        """What the other one, which was here first, has otherwise."""
        if self.rules.game != other.rules.game:
            return f"it is one of {other.rules.game}"
        for field, what in _DIFFERENCES.items():
            if getattr(self, field) != getattr(other, field):
                return f"its {what} are not the same"
        if self.seed != other.seed:
            return f"its seed is {other.seed}"
        mine, theirs = set(self.names), set(other.names)
        if mine != theirs:
            return f"its players are not the same ({', '.join(sorted(mine ^ theirs)[:5])})"
        changed = [mine.name for mine, theirs in zip(self.players, other.players, strict=True) if mine != theirs]
        return f"other files play in it, or in another order ({', '.join(changed[:5])})"


class Rooms:
    """Gives each pairing its number, its seed and its seats: a Match."""

    def __init__(self, spec: Spec) -> None:
        self._seats = {player.name: player for player in spec.players}
        self._seed = spec.seed
        self._rules = fingerprint(spec.rules)

    def match(self, number: int, pairing: Pairing) -> Match:
        return Match(
            number=number,
            seed=derived(self._seed, "deal", pairing.deal) >> 11,  # 53 bits: any program can read it back
            seats=tuple(self._seats[name] for name in pairing.seats),
            rules=self._rules,
        )
