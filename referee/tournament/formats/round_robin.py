"""Everybody meets everybody, or everybody meets the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from referee.tournament.formats.plan import Plan
from referee.tournament.formats.seating import cycles, seated
from referee.tournament.outcome import Format, Pairing

# So many matches at a time: a tournament of millions needs little memory, and lanes seldom wait for each other.
BATCH = 10_000


def round_robin(players: Sequence[str], plan: Plan) -> Format:
    """Every combination of players that fills a table, so many games each."""
    plan.require_a_table(players)
    deals = cycles(plan.games, plan.seats)
    yield from _batches(
        seated([players[who] for who in table], game, deals * number)
        # The first game of every table, then the second of every table: a look at any time is a fair one.
        for game in range(plan.games)
        for number, table in enumerate(circulated(len(players), plan.seats))
    )
    return None


def gauntlet(players: Sequence[str], plan: Plan) -> Format:
    """Every combination with the first player in it."""
    plan.require_a_table(players)
    first, *others = players
    deals = cycles(plan.games, plan.seats)
    yield from _batches(
        # The first player leads every table: turning each further than the last spreads it over the seats.
        seated([first, *(others[who] for who in rest)], game, deals * number, start=number)
        for game in range(plan.games)
        for number, rest in enumerate(circulated(len(others), plan.seats - 1))
    )
    return None


def circulated(players: int, size: int) -> Iterator[tuple[int, ...]]:
    """Every combination once, in an order that lets everybody play equally often, and in every place, early on.

    A combination is followed by those it becomes when everybody hands their seat to the next in the list, all
    the way round. They have their gaps in common: of the turns of one sequence of gaps the smallest stands for all.
    """
    for others in combinations(range(1, players), size - 1):
        table = (0, *others)
        gaps = tuple(after - before for before, after in zip(table, (*others, players), strict=True))
        turns = [gaps[by:] + gaps[:by] for by in range(1, size + 1)]
        if gaps == min(turns):
            # Gaps that repeat bring the same players together before they are all the way round.
            round_trip = sum(gaps[: 1 + turns.index(gaps)])
            for shift in range(round_trip):
                yield tuple((who + shift) % players for who in table)


def _batches(matches: Iterator[Pairing]) -> Format:
    while batch := list(islice(matches, BATCH)):
        yield batch
    return None
