"""Lanes and zygotes killed at random, with rogues in the field, and once interrupted: the table is the same."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from referee.lane import Lane
from referee.tournament.journal import Journal
from referee.tournament.lanes import Lanes
from referee.tournament.stage import Job, Report
from referee.tournament.tournament import Tournament
from tests.tournament.arena import RULES, guard, held, honest, nothing_left_behind, rogue, rows, spec, table

ROGUES = ("process_segfault", "process_exit", "protocol_garbage", "load_crash", "time_busy_loop")
PAIRS = 28  # of three honest players and these


class Chaos:
    """A crew whose lanes are killed, or their zygotes, at random moments; no match is hit more than twice.

    A kill counts for both jobs that a lane has: which of them it ends is decided while we look.
    """

    def __init__(self, lanes: Lanes, chance: random.Random, rate: float) -> None:
        self.kills: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self._lanes = lanes
        self._chance = chance
        self._rate = rate

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Report]]:
        for done in self._lanes.do(jobs):
            yield done
            if self._chance.random() < self._rate:
                time.sleep(self._chance.uniform(0, 0.02))  # any moment of a match
                self._strike()

    def _strike(self) -> None:
        targets = [lane for lane in self._lanes._lanes if lane.ready and self._may_be_hit(lane)]
        if not targets:
            return
        # Rather one that was hit before: the third try should be seen as well.
        target = max(targets, key=lambda lane: (max(self.hits[name(job)] for job in lane.jobs), self._chance.random()))
        whom = self._chance.choice(["lane", "zygote"])
        with contextlib.suppress(IndexError, ProcessLookupError):  # its zygote has ended, by an earlier kill
            os.kill(target.pid if whom == "lane" else guard(target.pid), signal.SIGKILL)
            self.kills[whom] += 1
            self.hits.update(name(job) for job in target.jobs)

    def _may_be_hit(self, lane: Lane[Job, Report]) -> bool:
        # With two, the one after a match that just manages to end is known too.
        return len(lane.jobs) == 2 and all(self.hits[name(job)] < 2 for job in lane.jobs)


def name(job: Job) -> str:
    return str(job.call or (job.match and job.match.number))


def chaos(folder: Path, games: int, rate: float, monkeypatch: pytest.MonkeyPatch) -> Chaos:
    """Held in peace and in chaos; both ends are the same, and nothing is left of either."""
    players, temporary = folder / "players", folder / "temporary"
    players.mkdir()
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    entrants = [*honest(players, "ann", "bob", "cid"), *(rogue(players, rogue_) for rogue_ in ROGUES)]
    planned = spec(entrants, games=games)
    with nothing_left_behind(temporary):
        with Lanes(RULES, entrants, 2) as lanes:
            held(folder / "peace.db", planned, lanes)
        chance = random.Random(11)

        def interrupt(tournament: Tournament) -> None:
            if tournament.done == PAIRS * games // 2:
                raise KeyboardInterrupt

        with Lanes(RULES, entrants, 2) as lanes, Journal.open(folder / "chaos.db", planned) as journal:
            before = Chaos(lanes, chance, rate)
            with pytest.raises(KeyboardInterrupt):
                Tournament(journal, interrupt).run(before)
        with Lanes(RULES, entrants, 2) as lanes:
            after = Chaos(lanes, chance, rate)
            after.hits += before.hits
            after.kills += before.kills
            held(folder / "chaos.db", planned, after)
    assert len(rows(folder / "peace.db")) == PAIRS * games
    assert rows(folder / "chaos.db") == rows(folder / "peace.db")
    assert table(folder / "chaos.db") == table(folder / "peace.db")
    return after


def test_a_tournament_in_chaos_ends_like_one_in_peace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = chaos(tmp_path, 3, 0.12, monkeypatch)
    assert seen.kills.total() >= 3


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_five_hundred_matches_in_chaos_end_like_those_in_peace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = chaos(tmp_path, 18, 0.3, monkeypatch)
    assert min(seen.kills["lane"], seen.kills["zygote"]) >= 10
    assert 2 in seen.hits.values()
