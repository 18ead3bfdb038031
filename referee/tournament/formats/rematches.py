"""Neighbours in a list sit down together, but not with those they have met, where that can be avoided."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# To prove that a rematch cannot be avoided can take for ever: so many choices are taken back, then one is accepted.
_PATIENCE = 5_000

_Meetings = Sequence[Sequence[int]]  # of two players by their places in the list


def neighbours(players: Sequence[str], seats: int, met: Callable[[str, str], int]) -> list[tuple[str, ...]]:
    """Tables of so many seats, filled from the top; `met` says how often two have sat together already."""
    meetings = [[met(one, other) for other in players] for one in players]
    order = _without_rematch(meetings, seats) or _with_few_rematches(meetings, seats)
    return [tuple(players[who] for who in order[first : first + seats]) for first in range(0, len(order), seats)]


def _without_rematch(meetings: _Meetings, seats: int) -> list[int] | None:
    """Who sits down one after the other, each table in the order of the list: the nearest who have not met."""
    free = [True] * len(meetings)
    order: list[int] = []
    look_from, patience = 0, _PATIENCE
    while len(order) < len(meetings):
        opened = len(order) - len(order) % seats
        table = order[opened:]
        for who in range(look_from, len(meetings)):
            if free[who] and not any(meetings[who][other] for other in table):
                free[who] = False
                order.append(who)
                # A full table is followed by the first player without a seat, who comes after the one that opened it.
                look_from = 1 + (who if len(order) % seats else order[opened])
                break
        else:
            if len(table) == 1:  # who opens a table has no other place to be: the choice before is taken back
                free[order.pop()] = True
            if not order or not patience:
                return None
            patience -= 1
            look_from = 1 + order[-1]
            free[order.pop()] = True
    return order


def _with_few_rematches(meetings: _Meetings, seats: int) -> list[int]:
    """Neighbours, and then who has met somebody at the table changes places with the nearest that makes it better."""
    order = list(range(len(meetings)))

    def price(who: int, seat: int) -> int:
        """The rematches of that player in that seat, in place of whoever has it."""
        opened = seat - seat % seats
        return sum(meetings[who][order[other]] for other in range(opened, opened + seats) if other != seat)

    def gain(seat: int, other: int) -> int:
        one, two = order[seat], order[other]
        return price(one, seat) + price(two, other) - price(one, other) - price(two, seat)

    better = True
    while better:
        better = False
        for seat in range(len(order)):
            if not price(order[seat], seat):
                continue
            elsewhere = (other for other in range(len(order)) if other // seats != seat // seats)
            for other in sorted(elsewhere, key=lambda other: abs(other - seat)):
                if gain(seat, other) > 0:
                    order[seat], order[other] = order[other], order[seat]
                    better = True
                    break
    return order
