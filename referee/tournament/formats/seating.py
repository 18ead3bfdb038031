"""Who sits where when the same players meet several times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from heapq import nsmallest
from itertools import permutations

from referee.tournament.outcome import Outcome, Pairing


def cycles(games: int, seats: int) -> int:
    """How many deals that many games of one table take: a deal lasts until everybody has had every seat."""
    return -(-games // seats)


def seated(players: Sequence[str], game: int, deal: int, start: int = 0) -> Pairing:
    """Game number `game`, from 0, of a table whose first deal is `deal`; `start` is its first turn of the table.

    Each deal is played once for every turn of the table, and the next one in another circular order, so that
    neighbours change as well as seats.
    """
    cycle, turn = divmod(game, len(players))
    return Pairing(turned(circular(players, cycle), turn + start), deal + cycle)


def circular(players: Sequence[str], cycle: int) -> tuple[str, ...]:
    """The players in the circular order of that cycle; in the first, as they are given."""
    orders = _circular_orders(len(players))
    return tuple(players[place] for place in orders[cycle % len(orders)])


def turned(players: tuple[str, ...], turn: int) -> tuple[str, ...]:
    """The table turned by so many seats."""
    by = turn % len(players)
    return players[by:] + players[:by]


def left_over(field: Sequence[str], count: int, rests: Counter[str]) -> list[str]:
    """Who finds no seat this time: the last of the field, but nobody a second time before everybody had one rest."""
    return nsmallest(count, reversed(field), key=rests.__getitem__)


def by_table(outcomes: Sequence[Outcome], games: int) -> list[list[Outcome]]:
    """The outcomes of a round, so many for each table, without those that are void."""
    return [
        [outcome for outcome in outcomes[first : first + games] if not outcome.void]
        for first in range(0, len(outcomes), games)
    ]


@cache
def _circular_orders(size: int) -> tuple[tuple[int, ...], ...]:
    """Every way to sit in a circle, each followed by its mirror image: after two, left and right are even."""
    orders: list[tuple[int, ...]] = []
    for rest in permutations(range(1, size)):
        if rest < rest[::-1]:
            orders += [(0, *rest), (0, *rest[::-1])]
    return tuple(orders) or (tuple(range(size)),)  # two players have no mirror image
