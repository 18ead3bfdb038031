"""The table of a tournament: who earned how much, who was shown out for what, and who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from referee.tournament.outcome import Kick, Outcome
from referee.tournament.rating import Rating, Tally, rate
from sandbox import Ending

Places = Sequence[Collection[str]]  # best first, ties share one


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table, as it is also written in JSON."""

    player: str
    points: float
    wins: int  # sole first places
    draws: int  # shared first places
    losses: int
    kicks: dict[str, int]  # by verdict
    rating: float
    rating_low: float
    rating_high: float
    cpu_per_move_ms: float


class _Sums:
    """What one player has earned so far."""

    def __init__(self) -> None:
        self.halves: Counter[int] = Counter()  # half points, by the number of opponents they are to be divided by
        self.wins = 0
        self.draws = 0
        self.losses = 0
        self.kicks: Counter[str] = Counter()
        self.failed_to_load = False
        self.moves = 0
        self.cpu = 0.0

    @property
    def points(self) -> Fraction:
        """Exact: the order of games must not show, and equal points must be equal."""
        return sum((Fraction(halves, 2 * opponents) for opponents, halves in self.halves.items()), Fraction())


class Table:
    """Takes in the outcomes one at a time and keeps none of them."""

    def __init__(self, players: Iterable[str]) -> None:
        self.played = 0
        self.void = 0
        self._sums = {player: _Sums() for player in players}
        self._tally = Tally()

    def add(self, outcome: Outcome) -> None:
        """A match that is void changes nothing but the number of those."""
        if outcome.void:
            self.void += 1
            return
        self.played += 1
        self._tally.add(outcome)
        opponents = len(outcome.seats) - 1
        for player, points in outcome.points().items():
            sums = self._sums[player]
            sums.halves[opponents] += round(2 * opponents * points)
            if player not in outcome.first:
                sums.losses += 1
            elif len(outcome.first) == 1:
                sums.wins += 1
            else:
                sums.draws += 1
            sums.moves += outcome.moves.get(player, 0)
            sums.cpu += outcome.cpu.get(player, 0.0)
        for kick in outcome.kicked:
            sums = self._sums[kick.player]
            sums.kicks[kick.verdict] += 1
            sums.failed_to_load |= _while_loading(kick)

    def live(self) -> list[Standing]:
        """The table so far without its ratings, which take a while."""
        unrated = Rating(0.0, 0.0, 0.0)
        return self._rows(dict.fromkeys(self._sums, unrated), None, {})

    def standings(self, places: Places | None = None, failed: Mapping[str, str] | None = None) -> list[Standing]:
        """The final table, best first.

        `places` are those of a format that does not go by points; `failed` names the verdict of each who failed in
        the hooks of the tournament. These, and who was ever kicked while loading, come after everybody else.
        """
        return self._rows(rate(self._sums, self._tally), places, failed or {})

    def winners(self, places: Places | None = None, failed: Collection[str] = ()) -> list[str]:
        """Who won, by name; perhaps nobody, since nobody is promoted to the place of a winner that fails."""
        loaded = {player: sums for player, sums in self._sums.items() if not sums.failed_to_load}
        if places is not None:
            first = [player for player in loaded if places and player in places[0]]
        else:
            earned = {player: (sums.points, sums.wins) for player, sums in loaded.items() if sums.points}
            most = max(earned.values(), default=None)
            first = [player for player, much in earned.items() if much == most]
        return sorted(player for player in first if player not in failed)

    def _rows(self, ratings: Mapping[str, Rating], places: Places | None, failed: Mapping[str, str]) -> list[Standing]:
        places = places or ()
        place = {player: number for number, tied in enumerate(places) for player in tied}

        def order(player: str) -> tuple[bool, int, Fraction, int, float, str]:
            sums = self._sums[player]
            out = sums.failed_to_load or player in failed
            return out, place.get(player, len(places)), -sums.points, -sums.wins, -ratings[player].value, player

        return [
            _row(player, self._sums[player], ratings[player], failed.get(player))
            for player in sorted(self._sums, key=order)
        ]


def standings(
    players: Iterable[str],
    outcomes: Iterable[Outcome],
    places: Places | None = None,
    failed: Mapping[str, str] | None = None,
) -> list[Standing]:
    """The table of all these outcomes, which are looked at once and not kept: see `Table.standings`."""
    table = Table(players)
    for outcome in outcomes:
        table.add(outcome)
    return table.standings(places, failed)


def _row(player: str, sums: _Sums, rating: Rating, failure: str | None) -> Standing:
    kicks = sums.kicks + Counter([failure] if failure is not None else [])
    return Standing(
        player=player,
        points=float(sums.points),
        wins=sums.wins,
        draws=sums.draws,
        losses=sums.losses,
        kicks=dict(sorted(kicks.items())),
        rating=rating.value,
        rating_low=rating.low,
        rating_high=rating.high,
        cpu_per_move_ms=1000 * sums.cpu / sums.moves if sums.moves else 0.0,
    )


def _while_loading(kick: Kick) -> bool:
    """Time or memory can run out there too; a verdict names no method then."""
    return kick.method == "" or kick.verdict == Ending.LOAD_ERROR
