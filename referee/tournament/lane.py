"""One lane: a process on a core of its own that plays one match after another, as it is handed them."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from multiprocess.connection import Connection

from referee.match import Entrant
from referee.referee import RefereeError
from referee.tournament.match import Match, Rules
from referee.tournament.outcome import Kick, Outcome
from referee.tournament.stage import Call, Stage
from sandbox import BoxError, syscalls


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Something to do: a match, with where its record goes, or a call."""

    match: Match | None = None
    record: str | None = None
    call: Call | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a lane says: it is ready, or what came of a job, or why it can do no more."""

    ready: bool = False
    outcome: Outcome | None = None
    failure: Kick | None = None  # of a call
    fault: str = ""


_job = msgspec.msgpack.Decoder(Job).decode
_report = msgspec.msgpack.Decoder(Report).decode
_encode = msgspec.msgpack.encode


def main(pipe: Connection, parent: int, core: int, rules: Rules, entrants: bytes) -> None:
    """The lane's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the supervisor, who then ends us
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    if sys.platform == "linux":
        syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGTERM)
        os.sched_setaffinity(0, {core})
    if os.getppid() != parent:
        return
    try:
        with Stage(rules, pickle.loads(entrants), core) as stage:
            pipe.send_bytes(_encode(Report(ready=True)))
            while (job := _next(pipe)) is not None:
                pipe.send_bytes(_encode(done(stage, job)))
    except (RefereeError, BoxError, OSError) as error:
        with contextlib.suppress(OSError):  # nobody is left to be told
            pipe.send_bytes(_encode(Report(fault=str(error))))
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the supervisor sends it to be sure; we are leaving already


def _next(pipe: Connection) -> Job | None:
    """None when there is no more to do."""
    try:
        return _job(pipe.recv_bytes())
    except EOFError:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as above: our zygote is to be closed in peace
        return None


def done(stage: Stage, job: Job) -> Report:
    if job.call is not None:
        return Report(failure=stage.call(job.call))
    assert job.match is not None
    return Report(outcome=stage.play(job.match, job.record))


def _leave(*_: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough, and the way out takes a moment
    sys.exit(0)


def packed(entrants: Sequence[Entrant]) -> bytes:
    """As they travel to a lane: classes and functions by value, since it has not what they were defined in."""
    import cloudpickle

    return bytes(cloudpickle.dumps(list(entrants)))


@contextlib.contextmanager
def _nameless_main() -> Iterator[None]:
    """While this lasts, a process that starts does not run the caller's script again, guarded or not."""
    before, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = before


class Lane:
    """The supervisor's end of a lane."""

    def __init__(self, context: Any, core: int, rules: Rules, entrants: bytes) -> None:
        self.core = core
        self.ready = False
        self.jobs: list[Job] = []  # the first is under way, the second waits in the pipe
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=main, args=(theirs, os.getpid(), core, rules, entrants), name=f"lane-{core}", daemon=True
        )
        # Blocked until it can ignore it, a Ctrl-C meanwhile ends it with no traceback of its own.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _nameless_main():
                self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    def fileno(self) -> int:
        return int(self._pipe.fileno())

    def give(self, job: Job) -> bool:
        """False if nobody is there to take it."""
        try:
            self._pipe.send_bytes(_encode(job))
        except OSError:
            return False
        self.jobs.append(job)
        return True

    def hear(self) -> Report:
        """What it says; a lane that is gone has a fault."""
        try:
            return _report(self._pipe.recv_bytes())
        except (EOFError, OSError):
            self._process.join(1.0)
            return Report(fault=f"the lane on core {self.core} ended ({self._process.exitcode})")

    def close(self, patience: float = 5.0) -> None:
        """Whatever it does, it is gone after this."""
        self._pipe.close()
        self._process.terminate()
        self._process.join(patience)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()
