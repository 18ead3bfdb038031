"""What everybody has after some rounds of Swiss, and so who rests, who meets and who sits where in the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from referee.tournament.formats.ranks import ranked
from referee.tournament.formats.seating import left_over, turned
from referee.tournament.outcome import Outcome


class Scoresheet:
    """Grows by the byes and the outcomes of each round."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._points: dict[str, list[float]] = {player: [] for player in players}  # a game, byes included
        self._byes = Counter[str]()
        self._met = Counter[frozenset[str]]()
        self._sat = Counter[tuple[str, int]]()
        self._kicked: set[str] = set()
        self._lasted: set[str] = set()  # to the end of some game

    def rested(self, players: Iterable[str], games: int) -> None:
        """A bye is worth as many games won as the others played."""
        for player in players:
            self._byes[player] += 1
            self._points[player] += [1.0] * games

    def played(self, outcomes: Iterable[Outcome]) -> None:
        """The outcomes that count of one table. Players who met only in a void game have not met."""
        for outcome in outcomes:
            for player, points in outcome.points().items():
                self._points[player].append(points)
            kicked = {kick.player for kick in outcome.kicked}
            self._kicked |= kicked
            self._lasted |= set(outcome.seats) - kicked
            self._met.update(map(frozenset, combinations(outcome.seats, 2)))
            self._sat.update((player, seat) for seat, player in enumerate(outcome.seats))

    def meetings(self, one: str, other: str) -> int:
        return self._met[frozenset((one, other))]

    def resting(self, count: int) -> list[str]:
        """Who has the next bye."""
        return left_over(self.ordered(), count, self._byes)

    def ordered(self) -> list[str]:
        """Best first; equals in the order of the list."""
        place = {player: number for number, tied in enumerate(self._ranked(self._players)) for player in tied}
        return sorted(self._players, key=place.__getitem__)

    def fairest_turn(self, table: tuple[str, ...]) -> int:
        """The turn of the table that gives its players the seats they had least."""
        return min(
            range(len(table)),
            key=lambda turn: sum(self._sat[player, seat] for seat, player in enumerate(turned(table, turn))),
        )

    def places(self) -> list[set[str]]:
        """Whoever was shown out of every game is behind the others, whatever a bye was worth, and never a winner."""
        hopeless = self._kicked - self._lasted
        others = [player for player in self._players if player not in hopeless]
        return [*(self._ranked(others) or [set()]), *self._ranked(hopeless)]

    def _ranked(self, players: Iterable[str]) -> list[set[str]]:
        """By points a game, so that a void one takes nothing away; who has none yet is in the middle."""
        return ranked({player: fmean(self._points[player] or [0.5]) for player in players})
