"""Matches played on a Dask cluster: handed out in chunks, taken in one by one, played again if a worker dies."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from itertools import islice
from pathlib import Path
from types import TracebackType

import msgspec

from referee.match import Entrant
from referee.referee import RefereeError
from referee.tournament.chunk import Chunk, Played, play_chunk, played, versions
from referee.tournament.connection import connected
from referee.tournament.match import Rules
from referee.tournament.stage import Job, Report

_CHUNK = 20  # matches a task: the price of a task is then lost in that of its games
_AHEAD = 3  # chunks for each worker that are handed out: there may be a great many more
_TRIES = 3  # in a chunk, by itself, and with nothing else under way
_LOOK = 5.0  # seconds between looks at the workers
_DROUGHT = 60.0  # seconds without any worker before we give up


class _Lot(msgspec.Struct, frozen=True):
    """Jobs that travel together, and how often they were tried."""

    jobs: tuple[Job, ...]
    tries: int = 0


class Cluster:
    """Workers elsewhere that play side by side. A job whose worker dies is done again; one that ends three is void."""

    def __init__(self, address: str, rules: Rules, entrants: Iterable[Entrant]) -> None:
        self._address = address
        self._rules = rules
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._versions = versions()
        self._lots: dict[Future[bytes], _Lot] = {}  # under way
        self._again: deque[_Lot] = deque()
        self._suspects: deque[_Lot] = deque()
        self._room = 0  # lots that may be under way

    def __enter__(self) -> Cluster:
        with contextlib.ExitStack() as stack:
            self._client = stack.enter_context(connected(self._address))
            self._executor = self._client.get_executor(pure=False)  # else two that are alike would be one task
            stack.callback(self._executor.shutdown, wait=False)
            self._seen = time.monotonic()
            self._look()
            self._leave = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave.close()

    def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Report]]:
        """What came of each job, in the order they end; a fault in it means that it is void."""
        coming = iter(jobs)
        while self._hand_out(coming):
            for future in self._ended():
                yield from self._take_in(self._lots.pop(future), future)

    def _hand_out(self, coming: Iterator[Job]) -> bool:
        """Take as many jobs as the workers have room for, no more: there may be a great many."""
        if self._suspects:
            if not self._lots:  # it must be alone: whatever waits at a worker that dies is taken for its murderer
                self._submit(self._suspects.popleft())
            return True
        while len(self._lots) < self._room:
            lot = self._again.popleft() if self._again else _Lot(tuple(islice(coming, _CHUNK)))
            if not lot.jobs:
                break
            self._submit(lot)
        return bool(self._lots)

    def _submit(self, lot: _Lot) -> None:
        names = {name for job in lot.jobs for name in _players(job)}
        chunk = Chunk(
            versions=self._versions,
            rules=self._rules,
            entrants=tuple(entrant for name, entrant in self._entrants.items() if name in names),
            jobs=lot.jobs,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that large submissions are large
            self._lots[self._executor.submit(play_chunk, chunk)] = lot

    def _ended(self) -> set[Future[bytes]]:
        while True:
            ended, _ = wait(self._lots, timeout=_LOOK, return_when=FIRST_COMPLETED)
            if ended:
                return ended
            self._look()

    def _take_in(self, lot: _Lot, future: Future[bytes]) -> Iterator[tuple[Job, Report]]:
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        tries = lot.tries + 1
        for job, what in zip(lot.jobs, self._results(lot, future), strict=True):
            if what.report.fault and tries < _TRIES:
                (self._again if tries < _TRIES - 1 else self._suspects).append(_Lot((job,), tries))
                continue
            if job.record is not None and not what.report.fault:
                Path(job.record).write_bytes(what.record)
            yield job, what.report

    def _results(self, lot: _Lot, future: Future[bytes]) -> Sequence[Played]:
        from distributed import KilledWorker

        try:
            return played(future.result())
        except KilledWorker:
            return [Played(Report(fault="the workers of the cluster that it was played on died"))] * len(lot.jobs)
        except CancelledError:
            raise self._lost() from None
        except RefereeError:
            raise
        except Exception as error:  # whatever it is, it happened there and not here
            raise RefereeError(f"a worker of the cluster failed with {type(error).__name__}: {error}") from error

    def _look(self) -> None:
        """Workers come and go."""
        try:
            workers = len(self._client.nthreads())
        except OSError:
            raise self._lost() from None
        self._looked = time.monotonic()
        self._room = _AHEAD * max(workers, 1)
        if workers:
            self._seen = self._looked
        elif self._looked - self._seen > _DROUGHT:
            raise RefereeError(
                f"no worker is left at {self._address}; start some with `referee cluster worker {self._address}`"
            )

    def _lost(self) -> RefereeError:
        return RefereeError(f"the scheduler at {self._address} is gone; the same command goes on when it is back")


def _players(job: Job) -> tuple[str, ...]:
    if job.match is not None:
        return job.match.players
    assert job.call is not None
    return (job.call.player,)
