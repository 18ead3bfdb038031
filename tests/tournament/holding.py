"""Tournaments held without a game: results made up, by rule or by chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from referee.tournament.outcome import Format, Kick, Outcome, Pairing

Judge = Callable[[int, Pairing], Outcome]
Rounds = list[Sequence[Pairing]]


def names(count: int) -> list[str]:
    """A name sorts as its place in the list."""
    return [f"p{number:04}" for number in range(count)]


def held(format: Format, judge: Judge) -> tuple[Rounds, list[Outcome], list[set[str]] | None]:
    rounds, outcomes = Rounds(), list[Outcome]()
    try:
        matches = next(format)
        while True:
            rounds.append(matches)
            outcomes += [judge(len(outcomes) + number, match) for number, match in enumerate(matches)]
            matches = format.send(outcomes[-len(matches) :])
    except StopIteration as end:
        return rounds, outcomes, end.value


def kicks(players: Iterable[str]) -> tuple[Kick, ...]:
    return tuple(Kick(player, "illegal", "move", 1) for player in players)


def ended(number: int, match: Pairing, *ranks: str | tuple[str, ...], kicked: Iterable[str] = ()) -> Outcome:
    """A rank is one name or several; whoever is neither ranked nor kicked shares the last rank."""
    ranking = [(rank,) if isinstance(rank, str) else rank for rank in ranks]
    named = {player for rank in ranking for player in rank} | set(kicked)
    if rest := tuple(player for player in match.seats if player not in named):
        ranking.append(rest)
    return Outcome(number=number, seats=match.seats, ranking=tuple(ranking), kicked=kicks(kicked))


def best_listed_wins(number: int, match: Pairing) -> Outcome:
    return ended(number, match, *sorted(match.seats))


def all_draw(number: int, match: Pairing) -> Outcome:
    return ended(number, match)


def void(number: int, match: Pairing) -> Outcome:
    """What it says of the players must not matter."""
    first, *others = match.seats
    return Outcome(
        number=number, seats=match.seats, ranking=((first,),), kicked=kicks(others), void="the machine stopped"
    )


def by_chance(seed: int, voids: float = 0.0, failing: float = 0.0) -> Judge:
    """Any result at all, the same for the same seed and number."""

    def judge(number: int, match: Pairing) -> Outcome:
        chance = random.Random(f"{seed} {number}")
        if chance.random() < voids:
            return void(number, match)
        kicked = [player for player in match.seats if chance.random() < failing]
        ranks: dict[int, list[str]] = {}
        for player in match.seats:
            if player not in kicked:
                ranks.setdefault(chance.randrange(4), []).append(player)
        ranking = tuple(tuple(ranks[rank]) for rank in sorted(ranks))
        return Outcome(number=number, seats=match.seats, ranking=ranking, kicked=kicks(kicked))

    return judge


def flat(rounds: Rounds) -> list[Pairing]:
    return [match for matches in rounds for match in matches]
