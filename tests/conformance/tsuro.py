"""The course's harnesses for Tsuro."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from players.tsuro import first, second, third
from referee.games import tsuro
from referee.games.tsuro import course
from referee.games.tsuro.board import OFF
from tests.conformance.table import refereed

STRATEGIES: dict[str, Callable[[], object]] = {
    "first": first.Strategy,
    "second": second.Strategy,
    "third": third.Strategy,
}
RED = tsuro.COLORS.index("red")

Ranks = list[list[int]]  # best first
Pairing = Generator[list[int], tuple[Ranks, list[int]], tuple[Ranks, list[int]]]


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
    tournament = knock_out(range(len(entries)))
    try:
        seats = next(tournament)
        while True:
            ranks, cheaters = _game([makers[seat] for seat in seats])
            seats = tournament.send(
                ([[seats[who] for who in rank] for rank in ranks], [seats[who] for who in cheaters])
            )
    except StopIteration as end:
        return [_result([entry["name"] for entry in entries], *end.value)]


def knock_out(entrants: Sequence[int]) -> Pairing:
    """The course's tournament: yields who plays a game, is sent its ranks and cheaters, returns the last."""
    field, cheaters = list(entrants), list[int]()
    while len(field) > 5:
        ahead = set[int]()
        for seats in groups(field):
            ranks, caught = yield seats
            cheaters += caught
            ahead.update(player for rank in ranks[:2] for player in rank)
        if len(ahead) == len(field):
            break
        field = [player for player in field if player in ahead]
    else:
        if len(field) >= 3:
            ranks, caught = yield field
            return ranks, cheaters + caught
    return [field], cheaters


def groups(field: list[int]) -> list[list[int]]:
    """Games of five in order; a rest too small for a game takes some from the last full one."""
    full, rest = divmod(len(field), 5)
    sizes = [5] * full + [rest] * (rest > 0)
    if rest in (1, 2):
        sizes[-2:] = {1: [3, 3], 2: [4, 3]}[rest]
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    return [field[start : start + size] for start, size in zip(starts, sizes, strict=True)]


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
