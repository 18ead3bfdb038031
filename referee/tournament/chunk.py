"""What a worker of a cluster does: plays a chunk of matches, with a stage that it keeps from chunk to chunk."""

from __future__ import annotations

import os
import platform
import signal
import socket
import tempfile
import threading
from importlib.metadata import version
from typing import Any

import msgspec

from referee.match import Entrant
from referee.referee import RefereeError
from referee.tournament.match import Rules
from referee.tournament.stage import Job, Report, Stage
from sandbox import BoxError, MissingLayers

NUMBERED = "-core-"  # in a worker's name, before the number of its core


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Some jobs, with all that is needed to do them elsewhere."""

    versions: dict[str, str]  # where it comes from
    rules: Rules
    entrants: tuple[Entrant, ...]  # those that play in it
    jobs: tuple[Job, ...]


class Played(msgspec.Struct, frozen=True):
    """What came of a job, and the record of its game."""

    report: Report
    record: bytes = b""


played = msgspec.msgpack.Decoder(list[Played]).decode


def versions() -> dict[str, str]:
    """What must be the same wherever matches of one tournament are played, or their results would not be."""
    return {"Python": ".".join(platform.python_version_tuple()[:2]), "referee": version("referee")}


def difference(theirs: dict[str, str], ours: dict[str, str]) -> str:
    found = [(what, theirs.get(what), mine) for what, mine in ours.items()]
    return ", ".join(f"{what} {its}, not {mine}" for what, its, mine in found if its != mine)


def play_chunk(chunk: Chunk) -> bytes:
    """A Played for each job, in their order, encoded; raises RefereeError if this worker can play nothing at all."""
    if differs := difference(versions(), chunk.versions):  # it may have joined when the others had been looked at
        raise RefereeError(f"the worker on {socket.gethostname()} has {differs}: install the same there, and go on")
    with _house.turn:
        return msgspec.msgpack.encode([_play(chunk, job) for job in chunk.jobs])


def _play(chunk: Chunk, job: Job) -> Played:
    # A file without a name: whoever kills this worker finds nothing left of it.
    with tempfile.TemporaryFile() as record:
        path = f"/dev/fd/{record.fileno()}" if job.record else None
        try:
            report = _house.stage(chunk).do(msgspec.structs.replace(job, record=path))
        except MissingLayers as error:
            raise RefereeError(f"the worker on {socket.gethostname()} cannot play: {error}") from None
        except (RefereeError, BoxError, OSError) as error:
            _house.close()  # its zygote may be what failed
            return Played(Report(fault=str(error)))
        record.seek(0)
        return Played(report, record.read())


class _House:
    """The one stage of this process, open for as long as the rules are the same."""

    def __init__(self) -> None:
        self.turn = threading.Lock()  # one match at a time, however many threads the worker has
        self._rules: Rules | None = None
        self._stage: Stage | None = None

    def stage(self, chunk: Chunk) -> Stage:
        if self._stage is None or self._rules != chunk.rules:
            self.close()
            stage = Stage(chunk.rules, ())
            stage.__enter__()
            self._rules, self._stage = chunk.rules, stage
        self._stage.invite(chunk.entrants)
        return self._stage

    def close(self) -> None:
        stage, self._stage = self._stage, None
        if stage is not None:
            stage.__exit__(None, None, None)


_house = _House()


def dask_setup(worker: Any) -> None:
    """Called by Dask in a worker that `referee cluster worker` starts: one that is numbered has a core of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the nanny, who then ends us
    number = str(worker.name).rpartition(NUMBERED)[2]
    if number.isdecimal() and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(number) % len(cores)]})  # the threads to come have it from this one
