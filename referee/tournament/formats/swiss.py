"""A few rounds, in each of which those meet who stand alike."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament.formats.plan import Plan
from referee.tournament.formats.rematches import neighbours
from referee.tournament.formats.scoresheet import Scoresheet
from referee.tournament.formats.seating import by_table, cycles, seated
from referee.tournament.outcome import Format, Pairing


def rounds_needed(players: int) -> int:
    """Enough that no two can have won every game: the logarithm to the base two, rounded up."""
    return (players - 1).bit_length()


def swiss(players: Sequence[str], plan: Plan) -> Format:
    """Returns the places by points a game, byes included, which the games alone do not tell."""
    plan.require_a_table(players)
    sheet, deal = Scoresheet(players), 0
    for _ in range(plan.rounds or rounds_needed(len(players))):
        resting = sheet.resting(len(players) % plan.seats)
        sitting = [player for player in sheet.ordered() if player not in resting]
        tables = neighbours(sitting, plan.seats, sheet.meetings)
        matches: list[Pairing] = []
        for table in tables:
            start = sheet.fairest_turn(table)
            matches += [seated(table, game, deal, start) for game in range(plan.games)]
            deal += cycles(plan.games, plan.seats)
        played = by_table((yield matches), plan.games)
        sheet.rested(resting, plan.games)
        for outcomes in played:
            sheet.played(outcomes)
    return sheet.places()
