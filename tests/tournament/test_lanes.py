"""Lanes: real processes that play matches, die in the middle of them, and are replaced."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.match import Entrant
from referee.referee import RefereeError
from referee.tournament.lanes import Lanes
from referee.tournament.outcome import Pairing
from referee.tournament.spec import Rooms
from referee.tournament.stage import Job
from tests.family import descendants
from tests.referee.table import file, source
from tests.tournament.arena import RULES, SLOW, Assassin, guard, honest, spec


def jobs(entrants: Sequence[Entrant], count: int, records: Path) -> list[Job]:
    names, rooms = tuple(entrant.name for entrant in entrants), Rooms(spec(entrants))
    matches = [rooms.match(number, Pairing(names[:2], number)) for number in range(count)]
    return [Job(match=match, record=str(records / f"{match.number}.jsonl")) for match in matches]


@pytest.fixture
def slow(tmp_path: Path) -> list[Entrant]:
    return [file(tmp_path, name, SLOW) for name in ("ann", "bob")]


def test_every_job_is_done_once_and_by_all_lanes(tmp_path: Path) -> None:
    entrants = honest(tmp_path, "ann", "bob")
    with Lanes(RULES, entrants, 2) as lanes:
        played = [job.match.number for job, _ in lanes.do(jobs(entrants, 20, tmp_path)) if job.match]
        pids = lanes.pids
    assert sorted(played) == list(range(20))
    assert len(set(pids)) == 2
    assert not set(pids) & set(descendants(os.getpid()))


def test_lanes_have_cores_and_zygotes_of_their_own(tmp_path: Path) -> None:
    cores = os.sched_getaffinity(0)
    entrants = honest(tmp_path, "ann", "bob")
    with Lanes(RULES, entrants, len(cores)) as lanes:
        list(lanes.do(jobs(entrants, 2 * len(cores), tmp_path)))
        pinned = [os.sched_getaffinity(pid) for pid in lanes.pids]
        zygotes = [guard(pid) for pid in lanes.pids]
        # Whoever plays there runs there too.
        assert {frozenset(os.sched_getaffinity(pid)) for pid in descendants(lanes.pids[0])} == {frozenset(pinned[0])}
    assert sorted(pinned, key=min) == [{core} for core in sorted(cores)]
    assert len(set(zygotes)) == len(cores)


@pytest.mark.parametrize("victim", [int, guard], ids=["the lane", "its zygote"])
def test_a_lane_that_is_killed_in_the_middle_of_a_match_is_replaced_and_the_match_played_again(
    victim: Callable[[int], int], slow: list[Entrant], tmp_path: Path
) -> None:
    with Lanes(RULES, slow, 2) as lanes, Assassin(tmp_path / "1.jsonl", 1, victim=victim) as assassin:
        done = list(lanes.do(jobs(slow, 6, tmp_path)))
    assert sorted(job.match.number for job, _ in done if job.match) == list(range(6))
    assert all(report.outcome and not report.fault for _, report in done)
    (killed, _), (replaced, _) = assassin.attempts
    assert killed != replaced


def test_a_match_whose_lane_died_twice_is_tried_a_third_time_alone_in_a_fresh_lane(
    slow: list[Entrant], tmp_path: Path
) -> None:
    with Lanes(RULES, slow, 2) as lanes, Assassin(tmp_path / "1.jsonl", 2) as assassin:
        done = list(lanes.do(jobs(slow, 8, tmp_path)))
    assert len(done) == 8
    assert not any(report.fault for _, report in done)
    (_, first), (_, second), (last, alone) = assassin.attempts
    assert alone == {last}
    assert last not in first | second


def test_a_match_that_ends_three_lanes_is_void_and_no_other_is(slow: list[Entrant], tmp_path: Path) -> None:
    with Lanes(RULES, slow, 2) as lanes, Assassin(tmp_path / "1.jsonl", 3) as assassin:
        done = {job.match.number: report for job, report in lanes.do(jobs(slow, 6, tmp_path)) if job.match}
    assert len(assassin.attempts) == 3
    assert sorted(done) == list(range(6))
    assert [number for number, report in done.items() if report.fault] == [1]
    assert "-9" in done[1].fault


def test_lanes_that_die_between_two_rounds_are_replaced(tmp_path: Path) -> None:
    entrants = honest(tmp_path, "ann", "bob")
    with Lanes(RULES, entrants, 2) as lanes:
        list(lanes.do(jobs(entrants, 4, tmp_path)))
        for pid in lanes.pids:
            os.kill(pid, signal.SIGKILL)
        again = list(lanes.do(jobs(entrants, 4, tmp_path)))
    assert len(again) == 4
    assert all(report.outcome for _, report in again)


def test_lanes_that_cannot_start_are_not_started_for_ever(tmp_path: Path) -> None:
    entrants = honest(tmp_path, "ann", "bob")
    nowhere = RULES.__class__(game="fish", config={"rows": "many"}, terms=RULES.terms)
    with Lanes(nowhere, entrants, 1) as lanes, pytest.raises(RefereeError, match="lane on core"):
        list(lanes.do(jobs(entrants, 1, tmp_path)))


def test_no_more_jobs_are_taken_than_lanes_can_hold(tmp_path: Path) -> None:
    entrants = honest(tmp_path, "ann", "bob")
    taken = 0

    def endless() -> Iterator[Job]:
        nonlocal taken
        for job in jobs(entrants, 1000, tmp_path):
            taken += 1
            yield job

    with Lanes(RULES, entrants, 2) as lanes:
        next(lanes.do(endless()))
    assert taken <= 10


def test_a_strategy_travels_to_a_lane_by_value(tmp_path: Path) -> None:
    number = -1

    class Mine:
        def placement(self, view: Any) -> Any:
            return view.free_tiles()[number]

        def movement(self, view: Any) -> Any:
            return view.legal_moves()[number]

    entrants = [Entrant("mine", Mine), file(tmp_path, "other", source("fish"))]
    with Lanes(RULES, entrants, 1) as lanes:
        ((_, report),) = lanes.do(jobs(entrants, 1, tmp_path))
    assert report.outcome
    assert not report.outcome.kicked

