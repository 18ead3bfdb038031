"""One lane: a process on a core of its own that does one job after another, as it is handed them."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from multiprocess.connection import Connection

from referee.referee import RefereeError
from sandbox import BoxError, syscalls

_STOPS = {signal.SIGINT, signal.SIGTERM}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a lane says: it is ready, or why it can do no more; what came of a job is in the fields of a kind of it."""

    ready: bool = False
    fault: str = ""


J = TypeVar("J", bound=msgspec.Struct)
R = TypeVar("R", bound=Report)
J_in = TypeVar("J_in", bound=msgspec.Struct, contravariant=True)
R_out = TypeVar("R_out", bound=Report, covariant=True)


class Stage(Protocol[J_in, R_out]):
    """Where the jobs of a lane are done. Raises RefereeError where none is to blame."""

    def do(self, job: J_in, /) -> R_out: ...


class Trade(msgspec.Struct, Generic[J, R], frozen=True):
    """What lanes do: what makes a stage on a core, in the lane's own process, and the types that go to and fro."""

    stage: Callable[[int], AbstractContextManager[Stage[J, R]]]
    job: type[J]
    report: type[R]
    # Jobs a lane has: one under way, and the next, so that it never waits for us; large ones would fill the pipe.
    ahead: int = 2


def main(pipe: Connection, parent: int, core: int, trade: Trade[Any, Any]) -> None:
    """The lane's process."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C is for the supervisor, who then ends us
    signal.signal(signal.SIGTERM, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    if sys.platform == "linux":
        syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGTERM)
        os.sched_setaffinity(0, {core})
    if os.getppid() != parent:
        return
    decode = msgspec.msgpack.Decoder(trade.job).decode
    encode = msgspec.msgpack.encode
    try:
        with trade.stage(core) as stage:
            pipe.send_bytes(encode(Report(ready=True)))
            while (job := _next(pipe)) is not None:
                pipe.send_bytes(encode(stage.do(decode(job))))
    except (RefereeError, BoxError, OSError) as error:
        with contextlib.suppress(OSError):  # nobody is left to be told
            pipe.send_bytes(encode(Report(fault=str(error))))
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the supervisor sends it to be sure; we are leaving already


def _next(pipe: Connection) -> bytes | None:
    """None when there is no more to do."""
    try:
        job: bytes = pipe.recv_bytes()
    except EOFError:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as above: our zygote is to be closed in peace
        return None
    return job


def _leave(*_: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough, and the way out takes a moment
    sys.exit(0)


@contextlib.contextmanager
def _nameless_main() -> Iterator[None]:
    """While this lasts, a process that starts does not run the caller's script again, guarded or not."""
    before, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = before


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """While this lasts, nobody stops us: half a lane could not be put away.

    A process that starts has these signals blocked too, until it knows what to do about them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Lane(Generic[J, R]):
    """The supervisor's end of a lane, which is to be made `undisturbed`."""

    def __init__(self, context: Any, core: int, trade: Trade[J, R]) -> None:
        self.core = core
        self.ready = False
        self.jobs: list[J] = []  # the first is under way, the second waits in the pipe
        self._decode = msgspec.msgpack.Decoder(trade.report).decode
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=main, args=(theirs, os.getpid(), core, trade), name=f"lane-{core}", daemon=True
        )
        with _nameless_main():
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    def fileno(self) -> int:
        return int(self._pipe.fileno())

    def give(self, job: J) -> bool:
        """False if nobody is there to take it."""
        try:
            self._pipe.send_bytes(msgspec.msgpack.encode(job))
        except OSError:
            return False
        self.jobs.append(job)
        return True

    def hear(self) -> R | Report:
        """What it says; a lane that is gone has a fault."""
        try:
            return self._decode(self._pipe.recv_bytes())
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
