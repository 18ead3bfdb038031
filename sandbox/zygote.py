"""The referee's handle on a zygote: workers are had from it, ended through it, and end with it."""

from __future__ import annotations

import collections
import contextlib
import errno
import os
import secrets
import shutil
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from sandbox import by_value, packages
from sandbox.channel import Load
from sandbox.conversation import Pipes
from sandbox.errors import BoxError, MissingLayers
from sandbox.layers import ALL_LAYERS, Layer
from sandbox.layers.report import LayerState, explain_missing, shortfall
from sandbox.limits import Limits
from sandbox.messages import SUBMISSION, Ask, End, Ended, Failed, Prepared
from sandbox.submission import Submission
from sandbox.verdicts import Misconduct
from sandbox.wire import Wire
from sandbox.worker import Worker

_open_zygotes: weakref.WeakSet[Zygote] = weakref.WeakSet()


class Zygote:
    """Makes workers: each a fork of one clean, preloaded, locked-away interpreter.

    `preload` names modules to have ready inside; files of packages not named there cannot be read. With
    "module:function" that function is called once, before the first worker is made; what it returns, if that can
    be called, each worker calls while it waits for its file.
    `layers` can be fewer than all, for tests. `core` is the core it and its workers run on; by default
    the one this thread runs on now. `spares` workers are kept waiting for their files.
    """

    def __init__(
        self,
        preload: Iterable[str] = (),
        *,
        layers: frozenset[Layer] = ALL_LAYERS,
        accept_missing_layers: bool = False,
        core: int | None = None,
        hash_seed: int = 1,
        spares: int = 1,
    ) -> None:
        _refuse_windows()
        preload = list(preload)
        self._packages = packages.find(preload)
        self._wanted_spares = spares
        self._spares: collections.deque[Worker] = collections.deque()
        self._workers: set[Worker] = set()  # those not yet ended, spares included
        self._due: dict[int, Pipes] = {}  # orders on their way, by the number of the worker
        self._numbers = 0  # of workers ordered
        self._serials = 0  # of questions asked
        self._setback = ""  # why the last order that failed did
        self._doubtful = False  # Ctrl-C came while a message was taken in: it may be lost
        self._lock = threading.RLock()
        self._wire = Wire()
        self.host_paths = packages.host_paths(self._packages)
        _open_zygotes.add(self)  # before there is anything that a forked child must let go of
        try:
            self.report = self._wire.start(self._packages, preload, layers, core, hash_seed)
        except BaseException:
            self.close()
            raise
        self.baseline = self._wire.baseline  # what an idle worker holds, for those who measure others
        self.layers = frozenset(line.layer for line in self.report if line.state == LayerState.ACTIVE)
        missing = shortfall(self.layers, root=os.geteuid() == 0)
        if missing and not accept_missing_layers:
            self.close()
            raise MissingLayers(explain_missing(missing, self.report))
        self.refill()

    # What a caller needs

    def spawn(
        self,
        source: str | os.PathLike[str] | Submission | type | Callable[..., Any],
        *,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        adapter: str = "",
        required: Iterable[str] = (),
        optional: Iterable[str] = (),
        parameters: Mapping[str, Any] | None = None,
        seed: int = 0,
        name: str = "",
    ) -> Worker:
        """A worker with the submission loaded, frozen until it is asked; raises Misconduct if it won't load.

        `source` is a path, a Submission already read, or a class or function, which travels by value.
        `adapter` ("module:function", preloaded) turns frames into arguments and answers into plain data.
        Methods named in `required` must exist; of those and `optional`, `Worker.methods` are the ones that do. They
        are called with one argument, those written with "()" with none.
        """
        common: dict[str, Any] = {
            "adapter": adapter,
            "required": tuple(required),
            "optional": tuple(optional),
            "parameters": dict(parameters or {}),
            "seed": seed,
            "memory": limits.memory,
            "threads": limits.threads,
            "descriptors": limits.descriptors,
            "scratch": limits.scratch,
        }
        if isinstance(source, str | os.PathLike):
            source = Submission.read(source)
        if isinstance(source, Submission):
            load = Load(entry=source.entry, files=source.files, **common)
            name = name or source.name
        else:
            load = Load(by_value=by_value.pickled(source, self._packages.names), **common)
            name = name or getattr(source, "__name__", type(source).__name__)
        worker = self._take()
        try:
            if isinstance(source, Submission) and source.is_folder:
                load = msgspec.structs.replace(load, folder=self._place(worker, source))
            worker.load(name, load, limits)
        except Misconduct as misconduct:
            misconduct.usage, misconduct.output = worker.kill(), worker.output
            raise
        except BaseException:
            worker.kill()
            raise
        return worker

    def refill(self) -> None:
        """Have the spare workers made that were used. Done by itself when the last worker in use has ended."""
        with contextlib.suppress(BoxError), self._lock:  # the next one who needs a worker will be told
            while self._wire.is_open and len(self._spares) + len(self._due) < self._wanted_spares:
                self._order()

    def settle(self) -> None:
        """Wait until the spare workers are there, so that the next spawns need not."""
        with self._lock:
            self._recover()
            self.refill()
            while self._due:
                self._hear()
            for worker in self._spares:
                worker.settle()

    def close(self) -> None:
        """End it with all its workers; nothing is left when this returns."""
        with self._lock:
            self._let_go()
            self._wire.close()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    @property
    def pid(self) -> int:
        """The host's process id of its guard; killing that ends it all."""
        return self._wire.pid

    # For workers

    def status(self, worker: Worker) -> int | None:
        """How a worker ended, as waitpid says it; None while it lives."""
        return self._ask(Ask, worker.number).status

    def end(self, worker: Worker) -> int:
        """Kill a worker and reap all of it; returns its peak of memory in bytes."""
        peak = self._ask(End, worker.number).peak
        with self._lock:
            self._workers.discard(worker)
        if worker.folder:
            shutil.rmtree(worker.folder, ignore_errors=True)
        if len(self._workers) == len(self._spares):  # nobody's turn is disturbed now
            self.refill()
        return peak

    # Workers in waiting. Ordered ahead, they are `_due` until the zygote's word of them is taken in, which is
    # done when a worker is needed, or while an answer is waited for that comes after it.

    def _order(self) -> int:
        self._numbers += 1
        self._due[self._numbers] = self._wire.order(self._numbers)
        return self._numbers

    def _take(self) -> Worker:
        with self._lock:
            self._recover()
            while self._due and not self._spares:
                self._hear()
            if not self._spares:
                number = self._order()
                while number in self._due:
                    self._hear()
            if not self._spares:
                raise BoxError(f"no worker can be made: {self._setback}")
            return self._spares.popleft()

    def _ask(self, request: type[Ask | End], number: int) -> Ended:
        with self._lock:
            self._serials += 1
            serial = self._serials
            self._wire.say(request(number, serial))
            while True:
                answer = self._hear()
                if answer is None or answer.serial != serial:  # nobody waits for that one: Ctrl-C came first
                    continue
                if isinstance(answer, Failed):
                    raise BoxError(f"the zygote could not do it: {answer.why}")
                return answer

    def _hear(self) -> Ended | Failed | None:
        """Take in one message; None when it was about a worker that was ordered."""
        try:
            answer = self._wire.hear()
            if isinstance(answer, Prepared):
                self._receive(answer)
            elif isinstance(answer, Failed) and answer.number in self._due:
                self._due.pop(answer.number).close()
                self._setback = answer.why
            else:
                return answer
            return None
        except Exception:
            raise
        except BaseException:
            self._doubtful = True
            raise

    def _receive(self, prepared: Prepared) -> None:
        pipes = self._due.get(prepared.number)
        if pipes is None:  # Ctrl-C came between the order and our note of it
            self._cancel(prepared.number)
            return
        try:
            worker = Worker(self, prepared.number, prepared.pid, pipes)
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise self._wire.died() from error  # gone already: only its zygote's death can have reaped it
            self._setback = str(error)
            self._cancel(prepared.number)
            return
        del self._due[prepared.number]
        self._workers.add(worker)
        self._spares.append(worker)

    def _cancel(self, number: int) -> None:
        """Have a worker ended that nobody holds; the answer is not waited for."""
        if pipes := self._due.pop(number, None):
            pipes.close()
        self._wire.say(End(number, 0))

    def _recover(self) -> None:
        """After doubt. Answers come in order: after the one to this question, what is still due was lost."""
        if self._doubtful:
            self._ask(End, 0)  # no worker has this number
            self._doubtful = False
            for number in list(self._due):
                self._cancel(number)

    def _place(self, worker: Worker, submission: Submission) -> str:
        """Where the worker will find a folder's files; without a private mount, a copy of our own."""
        if not self._wire.temporary:
            return SUBMISSION
        # A name that others on this machine cannot guess; they cannot list what is around it either.
        worker.folder = os.path.join(self._wire.temporary, secrets.token_hex(8))
        try:
            submission.write_to(worker.folder)
        except OSError as error:
            raise BoxError(f"the folder of {submission.name} could not be copied: {error}") from error
        return worker.folder

    def _let_go(self) -> None:
        """Close every descriptor of ours."""
        for worker in list(self._workers):
            worker.abandon()
        self._workers.clear()
        self._spares.clear()
        for pipes in self._due.values():
            pipes.close()
        self._due.clear()
        self._wire.hang_up()


def _refuse_windows() -> None:
    if os.name == "nt":
        raise MissingLayers(
            "Windows cannot run strangers' code safely: install WSL (`wsl --install`) and run this inside it."
        )


def _after_fork() -> None:
    """In a forked child: let go of the parent's zygotes, or they would outlive it."""
    for zygote in list(_open_zygotes):
        zygote._lock = threading.RLock()  # a thread that is not here may have held it
        for worker in zygote._workers:
            worker.after_fork()
        zygote._let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
