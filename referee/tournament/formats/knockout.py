"""The best of every table go on to the next round, until one table is left: as the course holds its tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.games.game import Game
from referee.tournament.formats.plan import Plan
from referee.tournament.formats.ranks import ranked
from referee.tournament.formats.seating import by_table, cycles, left_over, seated
from referee.tournament.outcome import Format, Outcome, Pairing


def ranks_through(game: Game) -> int:
    """How many ranks of a table go on: what the game says, or the first alone."""
    return int(getattr(game, "through", 1))


def knockout(players: Sequence[str], plan: Plan) -> Format:
    """Ends with the game of one table, with too few for a table, or with a round that sends nobody home.

    Returns the winners - after a last game, its ranks - then who went out, and then who was kicked, latest first.
    A table whose games were all void sends nobody home.
    """
    field, deal, rests = list(players), 0, Counter[str]()
    out, kicked = list[set[str]](), list[set[str]]()
    while sizes := table_sizes(len(field), plan.seats, plan.lowest):
        resting = left_over(field, len(field) - sum(sizes), rests)
        rests.update(resting)
        sitting = iter([player for player in field if player not in resting])
        tables = [[next(sitting) for _ in range(size)] for size in sizes]

        matches: list[Pairing] = []
        for table in tables:
            matches += [seated(table, game, deal) for game in range(plan.games)]
            deal += cycles(plan.games, len(table))
        played = by_table((yield matches), plan.games)

        ranks = [_ranks(table, outcomes) for table, outcomes in zip(tables, played, strict=True)]
        ranked_ones = {player for table_ranks in ranks for tied in table_ranks for player in tied}
        kicked.insert(0, set(field) - ranked_ones - set(resting))
        if len(field) <= plan.seats:
            return _placed(ranks[0], out, kicked)
        ahead = {player for table_ranks in ranks for tied in table_ranks[: plan.through] for player in tied}
        ahead.update(resting)
        if len(ahead) == len(field):
            break
        out.insert(0, ranked_ones - ahead)
        field = [player for player in field if player in ahead]
    return _placed([set(field)], out, kicked)


def table_sizes(players: int, most: int, fewest: int) -> list[int]:
    """Full tables; if the rest is too small for one, the last full ones give up players until it is big enough.

    Where that cannot be done, the rest does not sit down.
    """
    full, rest = divmod(players, most)
    sizes, wanted = [most] * full, fewest - rest
    if rest == 0 or wanted > full * (most - fewest):
        return sizes
    for table in reversed(range(full)):
        given = max(0, min(wanted, most - fewest))
        sizes[table] -= given
        wanted -= given
        rest += given
    return [*sizes, rest]


def _placed(winners: list[set[str]], out: list[set[str]], kicked: list[set[str]]) -> list[set[str]]:
    return [*(winners or [set()]), *filter(None, out), *filter(None, kicked)]


def _ranks(table: Sequence[str], outcomes: Sequence[Outcome]) -> list[set[str]]:
    """The ranks of one game, or by points those of several; without whoever was kicked in one of them."""
    kicked = {kick.player for outcome in outcomes for kick in outcome.kicked}
    points = [outcome.points() for outcome in outcomes]
    return ranked({player: sum(game[player] for game in points) for player in table if player not in kicked})
