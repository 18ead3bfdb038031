"""The tournament of the class: all submissions that are admitted, and the place of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from referee.grading.course import Course
from referee.grading.rubric import Placing
from referee.match import Entrant
from referee.tournament.formats import Plan
from referee.tournament.journal import Journal
from referee.tournament.lanes import Lanes
from referee.tournament.match import Rules, Seat
from referee.tournament.spec import Spec
from referee.tournament.tournament import Tournament
from sandbox import Submission

Places = dict[str, dict[str, int]]  # of each such check: the place of each student
_TOLD = 20  # times, how far it is
_ALL_MEET = 12  # players; more of them play Swiss, since everybody meeting everybody takes too long


def placed(
    course: Course,
    check: Placing,
    field: Mapping[str, Submission],
    folder: Path,
    jobs: int | None,
    accept_missing_layers: bool,
    told: Callable[[str], None],
) -> dict[str, int]:
    """The place of each, from 1; equal points share one. Goes on where it was interrupted."""
    seats = course.rules.seats[0]
    if len(field) < seats:
        return dict.fromkeys(field, 1)
    entrants = [Entrant(name, submission, given=submission.entry) for name, submission in sorted(field.items())]
    spec = Spec(
        rules=Rules(
            game=course.game,
            config=msgspec.to_builtins(course.settings),
            terms=course.terms,
            accept_missing_layers=accept_missing_layers,
        ),
        format="round-robin" if len(field) <= _ALL_MEET else "swiss",
        plan=Plan(seats=seats, games=check.games),
        seed=course.seed,
        players=tuple(map(Seat.of, entrants)),
    )

    def tell(tournament: Tournament) -> None:
        if tournament.done % max(1, tournament.scheduled // _TOLD) == 0:
            told(f"{tournament.done} of {tournament.scheduled} matches of the class played")

    with Journal.open(folder / f"class-{spec.fingerprint}.db", spec) as journal:
        tournament = Tournament(journal, tell)
        with Lanes(spec.rules, entrants, jobs) as lanes:
            tournament.run(lanes)
        points = {standing.player: standing.points for standing in tournament.standings()}
        tied = journal.places or [
            {name for name, got in points.items() if got == much} for much in sorted({*points.values()}, reverse=True)
        ]
    return {name: 1 + sum(map(len, tied[:rank])) for rank, names in enumerate(tied) for name in names}
