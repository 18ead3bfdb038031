"""The supervisor of the lanes: hands out jobs, takes in what came of them, and replaces a lane that dies."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Generic, Self, cast

import multiprocess
from multiprocess import resource_tracker
from multiprocess.connection import wait

from referee.lane import J, Lane, R, Trade, undisturbed
from referee.referee import RefereeError

_TRIES = 3  # the last of them alone, in a fresh lane


def usable_cores() -> list[int]:
    """Those this process may run on, which in a container are not all that the machine has."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]


class Lanes(Generic[J, R]):
    """Processes that work side by side. A job whose lane dies is done again; one that ends three is void."""

    def __init__(self, trade: Trade[J, R], count: int | None = None) -> None:
        cores = usable_cores()
        self._cores = [cores[lane % len(cores)] for lane in range(count or len(cores))]
        self._trade = trade
        # A fresh interpreter each: a fork would take along whatever threads and locks the caller has.
        self._context = multiprocess.get_context("spawn")
        resource_tracker.ensure_running()  # when it starts it unblocks SIGINT, which a lane's start must not
        self._lanes: list[Lane[J, R]] = []
        self._failed_starts = 0
        self._queue: deque[J] = deque()
        self._suspects: deque[J] = deque()  # whose lanes died twice
        self._hits: Counter[int] = Counter()  # lanes that died, by the id() of the job they had under way

    @property
    def pids(self) -> list[int]:
        return [lane.pid for lane in self._lanes]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._lanes:
            self._lanes[-1].close()
            self._lanes.pop()

    def do(self, jobs: Iterable[J]) -> Iterator[tuple[J, R]]:
        """What came of each job, in the order they end; a fault in it means that it is void."""
        coming = iter(jobs)
        while self._fill(coming) or any(lane.jobs for lane in self._lanes):
            self._hand_out()
            for lane in wait(self._lanes):
                report = lane.hear()
                if report.ready:
                    lane.ready, self._failed_starts = True, 0
                elif report.fault:
                    yield from self._lost(lane, report.fault)
                else:
                    job = lane.jobs.pop(0)
                    self._hits.pop(id(job), None)
                    yield job, cast(R, report)

    def _fill(self, coming: Iterator[J]) -> bool:
        """Take as many jobs as the lanes have room for, no more: there may be a great many."""
        while len(self._queue) < len(self._cores) * self._trade.ahead and (job := next(coming, None)) is not None:
            self._queue.append(job)
        return bool(self._queue or self._suspects)

    def _hand_out(self) -> None:
        if any(self._hits[id(job)] == _TRIES - 1 for lane in self._lanes for job in lane.jobs):
            return  # it must be alone until it ends
        if self._suspects:
            if not any(lane.jobs for lane in self._lanes):
                while self._lanes:
                    self._lanes.pop().close()
                if self._open(self._cores[0]).give(self._suspects[0]):
                    self._suspects.popleft()
            return  # nothing new begins before
        if self._queue:
            free = Counter(self._cores) - Counter(lane.core for lane in self._lanes)
            for core in sorted(free.elements()):
                self._open(core)
        for depth in range(1, self._trade.ahead + 1):  # everybody has one before anybody has two
            for lane in self._lanes:
                if self._queue and len(lane.jobs) < depth and lane.give(self._queue[0]):
                    self._queue.popleft()

    def _open(self, core: int) -> Lane[J, R]:
        with undisturbed():
            lane = Lane(self._context, core, self._trade)
            self._lanes.append(lane)
        return lane

    def _lost(self, lane: Lane[J, R], fault: str) -> Iterator[tuple[J, R]]:
        """The job that was under way may be to blame, or the machine; the one that waited behind it is not."""
        self._lanes.remove(lane)
        lane.close()
        if not lane.ready:
            self._failed_starts += 1
            if self._failed_starts >= _TRIES:
                raise RefereeError(fault)
        elif lane.jobs:
            self._hits[id(lane.jobs[0])] += 1
        for job in reversed(lane.jobs):
            hits = self._hits[id(job)]
            if hits < _TRIES - 1:
                self._queue.appendleft(job)
            elif hits < _TRIES:
                self._suspects.appendleft(job)
            else:
                del self._hits[id(job)]
                yield job, self._trade.report(fault=fault)
