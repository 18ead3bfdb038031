"""The page of a tournament: standings, who took how much from whom, what it cost, who was shown out, every match."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import msgspec

from referee.showing import name_shown
from referee.tournament.outcome import Outcome
from referee.tournament.standings import Standing
from referee.tournament.tournament import Tournament
from referee.viewer.page import page
from sandbox import clean

_LONGEST_FAULT = 200
_LONGEST_WORD = 60
_LONGEST_COMMAND = 10_000


def standings(
    tournament: Tournament, table: Sequence[Standing], *, notes: Sequence[str] = (), replays: Collection[int] = ()
) -> str:
    """The HTML, which lies beside a folder `matches` with the pages of the matches whose numbers are `replays`.

    `table` are its standings, which take a while to work out; `notes` are sentences on how it ended.
    """
    spec = tournament.spec
    places = {row.player: place for place, row in enumerate(table)}
    cross, costs, matches = _Cross(), _Costs(), []
    for _, outcome in tournament.journal:
        cross.add(outcome)
        costs.add(outcome)
        matches.append(_match(outcome, places, outcome.number in replays))
    data = {
        "game": clean(spec.rules.game, _LONGEST_WORD),
        "format": clean(spec.format, _LONGEST_WORD),
        "seats": spec.plan.seats,
        "seed": str(spec.seed),  # beyond what a script's numbers hold
        "journal": clean(shlex.quote(str(tournament.journal.path)), _LONGEST_COMMAND),
        "limit": spec.rules.terms.move.cpu,
        "finished": tournament.journal.finished,
        "notes": [clean(note) for note in notes],
        "played": tournament.table.played,
        "void": tournament.table.void,
        "players": [_player(row, costs) for row in table],
        "cross": cross.told(places),
        "matches": matches,
    }
    return page(f"{spec.rules.game.capitalize()} {spec.format}: standings", "standings", data)


class _Cross:
    """Points that each took from each, and in how many games."""

    def __init__(self) -> None:
        self._points: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._games: Counter[tuple[str, str]] = Counter()

    def add(self, outcome: Outcome) -> None:
        if outcome.void:
            return
        for pair in permutations(outcome.seats, 2):
            # What the two have of each other is what the match gives when it is looked at as theirs alone.
            self._points[pair] += msgspec.structs.replace(outcome, seats=pair).points()[pair[0]]
            self._games[pair] += 1

    def told(self, places: Mapping[str, int]) -> list[tuple[int, int, float, int]]:
        return [(places[a], places[b], self._points[a, b], games) for (a, b), games in self._games.items()]


class _Costs:
    """CPU seconds that players spent: in all, and a move in each of their matches."""

    def __init__(self) -> None:
        self.total: dict[str, float] = {}
        self.a_move: dict[str, list[float]] = {}

    def add(self, outcome: Outcome) -> None:
        if outcome.void:
            return
        for player, spent in outcome.cpu.items():
            self.total[player] = self.total.get(player, 0.0) + spent
            if moves := outcome.moves.get(player):
                self.a_move.setdefault(player, []).append(spent / moves)


def _player(row: Standing, costs: _Costs) -> dict[str, Any]:
    matches = costs.a_move.get(row.player, [])
    return {
        "name": name_shown(row.player),
        "points": row.points,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "kicks": {clean(verdict, _LONGEST_WORD): count for verdict, count in row.kicks.items()},
        "rating": [row.rating_low, row.rating, row.rating_high],
        "cpu": [min(matches), row.cpu_per_move_ms / 1000, max(matches)] if matches else None,
        "total": costs.total.get(row.player, 0.0),
    }


def _match(outcome: Outcome, places: Mapping[str, int], is_replayed: bool) -> dict[str, Any]:
    """In few letters: there may be thousands."""

    def seats(players: Iterable[str]) -> list[int]:
        return [places[player] for player in players]

    told: dict[str, Any] = {"n": outcome.number, "seats": seats(outcome.seats)}
    if outcome.void:
        told["void"] = clean(outcome.void, _LONGEST_FAULT)
    else:
        told |= {
            "ranks": [seats(rank) for rank in outcome.ranking],
            "scores": [outcome.scores.get(player, 0) for player in outcome.seats],
            "turns": outcome.turns,
        }
    if outcome.kicked:
        told["kicks"] = [
            [places[kick.player], clean(kick.verdict, _LONGEST_WORD), kick.turn] for kick in outcome.kicked
        ]
    if is_replayed:
        told["page"] = 1
    return told
