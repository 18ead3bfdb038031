"""What a tournament is planned in and judged by: who sits down together, and how it went."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import msgspec


class Pairing(msgspec.Struct, frozen=True):
    """Who is to meet, in seat order. Games with the same `deal` begin alike: same seed, other seats."""

    seats: tuple[str, ...]
    deal: int


class Kick(msgspec.Struct, frozen=True):
    """Somebody was shown out."""

    player: str
    verdict: str  # the word of its Ending
    method: str
    turn: int
    detail: str = ""
    line: int | None = None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended; no timings but CPU, which no format and no rating looks at."""

    number: int
    seats: tuple[str, ...]
    ranking: tuple[tuple[str, ...], ...] = ()  # best first, ties share a rank, kicked players left out
    kicked: tuple[Kick, ...] = ()
    scores: dict[str, int] = {}
    turns: int = 0
    moves: dict[str, int] = {}  # answered by each
    cpu: dict[str, float] = {}  # seconds each spent in the game
    void: str = ""  # why it does not count: a fault of ours or of the machine's

    def points(self) -> dict[str, float]:
        """One for each opponent beaten, half for a tie, by the number of opponents; who was kicked shares nothing."""
        places = {player: place for place, tied in enumerate(self.ranking) for player in tied}
        opponents = len(self.seats) - 1
        return {
            player: sum(_against(places.get(player), places.get(other)) for other in self.seats if other != player)
            / opponents
            for player in self.seats
        }

    @property
    def first(self) -> tuple[str, ...]:
        """Who came first: one is a win, more are a draw."""
        return self.ranking[0] if self.ranking else ()


def _against(mine: int | None, theirs: int | None) -> float:
    if mine is None:
        return 0.0
    if theirs is None or mine < theirs:
        return 1.0
    return 0.5 if mine == theirs else 0.0


# A format yields a round of pairings, is sent their outcomes in that order, and so on. It returns the final places
# (best first, ties share a set) where its own way decides them, or None where points do.
Format = Generator[Sequence[Pairing], Sequence[Outcome], list[set[str]] | None]
