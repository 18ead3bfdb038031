"""The course's harnesses for Tsuro."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from players.tsuro import first, second, third
from referee.games import tsuro
from referee.games.tsuro import course
from referee.games.tsuro.board import OFF
from referee.tournament.formats.knockout import knockout, ranks_through
from referee.tournament.formats.plan import Plan
from referee.tournament.outcome import Kick, Outcome, Pairing
from tests.conformance.table import refereed

STRATEGIES: dict[str, Callable[[], object]] = {
    "first": first.Strategy,
    "second": second.Strategy,
    "third": third.Strategy,
}
RED = tsuro.COLORS.index("red")

Ranks = list[list[int]]  # best first


def xtiles(given: list[Any]) -> list[Any]:
    return [
        ["if ", port, " is the entrance, ", tsuro.exit_port(tsuro.Tile(*tile), port), " is the exit."]
        for *tile, port in given
    ]


def xboard(given: list[Any]) -> list[Any]:
    pats, *actions = given
    position = course.position(pats)
    if position.avatars[RED] == OFF:
        return ["red never played"]
    for color, (index, degrees) in actions:
        # A colour that is not on the board any more has no options.
        for option in position.options(tsuro.COLORS.index(color), (index,)):
            if option.tile.degrees != degrees:
                continue
            if option.loopers:
                return ["infinite"]
            if option.collides:
                return ["collision"]
            position = position.after(option)
            break
        if position.avatars[RED] == OFF:
            return ["red died"]
    return [course.avatar_pat(position, RED)]


def xrules(given: list[Any]) -> list[Any]:
    pats, ((color, tile), *hand) = given
    options = course.position(pats).options(tsuro.COLORS.index(color), tuple(hand))
    legal = [option.tile for option in tsuro.legal_options(options)]
    return ["legal" if tsuro.Tile(*tile) in legal else "cheating"]


def xref(given: list[Any]) -> list[Any]:
    (names,) = given
    return [_result(names, *_game([first.Strategy] * len(names)))]


def xadmin(given: list[Any]) -> list[Any]:
    (entries,) = given
    makers = [_named(entry["strategy"]) for entry in entries]
    plan = Plan(seats=max(tsuro.game.seats), lowest=min(tsuro.game.seats), games=1, through=ranks_through(tsuro.game))
    tournament = knockout([str(entrant) for entrant in range(len(entries))], plan)
    outcomes, cheaters = list[Outcome](), list[int]()
    try:
        matches = next(tournament)
        while True:
            outcomes = [_outcome(match, makers) for match in matches]
            cheaters += [int(kick.player) for outcome in outcomes for kick in outcome.kicked]
            matches = tournament.send(outcomes)
    except StopIteration as end:
        # Of those who did not win, the course names only who sat in the last game.
        last = len(outcomes) == 1
        ranks = [[int(who) for who in rank] for rank in (outcomes[0].ranking if last else end.value[:1])]
        return [_result([entry["name"] for entry in entries], ranks, cheaters)]


def _outcome(match: Pairing, makers: Sequence[Callable[[], object]]) -> Outcome:
    ranks, cheaters = _game([makers[int(player)] for player in match.seats])
    return Outcome(
        number=0,
        seats=match.seats,
        ranking=tuple(tuple(match.seats[who] for who in rank) for rank in ranks),
        kicked=tuple(Kick(match.seats[who], "exception", "", 0) for who in cheaters),
    )


def _named(path: str) -> Callable[[], object]:
    name = path.rsplit("/", 1)[-1].lower()
    return next(make for strategy, make in STRATEGIES.items() if strategy in name)


def _game(makers: Sequence[Callable[[], object]]) -> tuple[Ranks, list[int]]:
    """The ranks and the kicked of one game, by seat; pairs may repeat names, so seats stand for them."""
    seats = [str(seat) for seat in range(len(makers))]
    players = {seat: make() for seat, make in zip(seats, makers, strict=True)}
    end = refereed(tsuro.game, tsuro.game.setup(seats), players)
    return [[int(seat) for seat in rank] for rank in end.ranking()], [int(seat) for seat in end.kicked]


def _result(names: list[str], ranks: Ranks, cheaters: list[int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "winners": [sorted(names[seat] for seat in rank) for rank in ranks if rank],
        "cheaters": sorted(names[seat] for seat in cheaters),
    }
    return {field: value for field, value in result.items() if value}


HARNESSES = {"xtiles": xtiles, "xboard": xboard, "xrules": xrules, "xref": xref, "xadmin": xadmin}
