"""The referee's handle on a zygote: starts it, asks it for workers, and leaves nothing behind."""

from __future__ import annotations

import collections
import contextlib
import errno
import os
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from sandbox import by_value, packages
from sandbox.channel import Load
from sandbox.errors import BoxError, MissingLayers, ZygoteDied
from sandbox.layers import ALL_LAYERS, Layer
from sandbox.layers.report import ADVICE, LayerReport, LayerState, caveat, explain_missing, possible, shortfall
from sandbox.limits import Limits
from sandbox.messages import REPLIES, SUBMISSION, Ask, Config, Down, End, Ended, Failed, Prepare, Prepared, Up
from sandbox.submission import Submission
from sandbox.verdicts import Misconduct
from sandbox.worker import Descriptors, Worker

# The whole of the new interpreter's command line: it stays readable on its stack, so it says nothing.
# -s -P -S: no user site, no current directory, no site; -I would ignore PYTHONHASHSEED as well.
_BOOT = (
    "import socket,sys;s=socket.socket(fileno=0);m=s.recv(1<<20);n=m.index(0);"
    "sys.path+=m[:n].decode().split('\\n');from sandbox.nursery import main;main(s,m[n+1:])"
)
_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",  # NumPy starts a thread a core at import, and dies where it may not
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_PATIENCE = 30.0  # seconds for an answer of the zygote's own, which takes milliseconds

_open_zygotes: weakref.WeakSet[Zygote] = weakref.WeakSet()


class Zygote:
    """Makes workers: each a fork of one clean, preloaded, locked-away interpreter.

    `preload` names modules to have ready inside; files of packages not named there cannot be read. With
    "module:function" that function is called once, before the first worker is made.
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
        self._preload = list(preload)
        self._packages = packages.find(self._preload)
        self._core = _current_core() if core is None else core
        self._hash_seed = hash_seed
        self._wanted_spares = spares
        self._spares: collections.deque[Worker] = collections.deque()
        self._workers: set[Worker] = set()  # those not yet ended, spares included
        self._due: dict[int, Descriptors] = {}
        self._numbers = 0
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._lifeline = -1
        self._owner = os.getpid()
        self._temporary = ""  # where folders are placed when there is no private mount
        self._setback = ""  # why a worker that was ordered cannot be had
        self.host_paths = packages.host_paths(self._packages)
        self._serials = 0
        self._doubtful = False  # Ctrl-C came while a message was taken in: it may be lost
        _open_zygotes.add(self)  # before there is anything that a forked child must let go of
        try:
            self.report = self._start(layers)
        except BaseException:
            self.close()
            raise
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
        Methods named in `required` must exist; of those and `optional`, `Worker.methods` are the ones that do.
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
            while self._control is not None and len(self._spares) + len(self._due) < self._wanted_spares:
                self._order()

    def settle(self) -> None:
        """Wait until the spare workers are there, so that the next spawns need not."""
        with self._lock:
            self.refill()
            while self._due:
                self._hear()
            self._setback = ""  # the next one who needs a worker orders anew
            for worker in self._spares:
                worker.settle()

    def close(self) -> None:
        """End it with all its workers; nothing is left when this returns."""
        with self._lock:
            self._let_go()
            if self._process is not None and self._owner == os.getpid():
                try:
                    self._process.wait(_PATIENCE)
                except subprocess.TimeoutExpired:
                    self._process.kill()  # its zygote dies with it
                    self._process.wait()
                self._process = None
            if self._temporary and self._owner == os.getpid():  # its guard has removed it, unless that was killed
                shutil.rmtree(self._temporary, ignore_errors=True)
                self._temporary = ""

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
        return self._process.pid if self._process else 0

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

    # Starting

    def _start(self, wanted: frozenset[Layer]) -> tuple[LayerReport, ...]:
        """Start with every layer wanted; one that is refused is noted, and the start made again without it."""
        reports = possible(wanted, sys.platform, root=os.geteuid() == 0)
        layers = {layer for layer, line in reports.items() if line.state == LayerState.ACTIVE}
        while True:
            answer = self._launch(frozenset(layers))
            if isinstance(answer, Up):
                self.baseline = answer.baseline  # what an idle worker holds, for those who measure others
                break
            self.close()
            if not answer.layer:
                raise BoxError(f"the zygote could not start: {answer.why}")
            layer = Layer(answer.layer)
            state = LayerState.MISSING if answer.missing else LayerState.REFUSED
            reports[layer] = LayerReport(layer, state, answer.why, ADVICE[layer])
            layers.discard(layer)
        for layer in layers:
            reports[layer] = LayerReport(layer, LayerState.ACTIVE, caveat(layer, frozenset(layers)))
        return tuple(reports.values())

    def _launch(self, layers: frozenset[Layer]) -> Up | Down:
        try:
            return self._launched(layers)
        except OSError as error:
            self.close()
            raise BoxError(f"the zygote did not start: {error}") from error

    def _launched(self, layers: frozenset[Layer]) -> Up | Down:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if sys.platform == "linux":
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ours.settimeout(_PATIENCE)
        if Layer.NAMESPACES not in layers:
            self._temporary = tempfile.mkdtemp(prefix="referee-")
            os.chmod(self._temporary, 0o711)  # a worker's own user must find its folder, and no other's
        config = msgspec.msgpack.encode(Config(self._packages, self._preload, layers, self._core, self._temporary))
        python = os.path.realpath(sys.executable)
        self._control = ours
        with tempfile.TemporaryFile() as complaints:  # not a pipe: nobody would read it later
            lifeline, self._lifeline = os.pipe()
            try:
                self._process = subprocess.Popen(
                    [python, "-s", "-P", "-S", "-c", _BOOT],
                    env=_ENVIRONMENT | {"PYTHONHASHSEED": str(self._hash_seed)},
                    cwd="/",
                    stdin=theirs.fileno(),
                    stdout=lifeline,
                    stderr=complaints,
                    start_new_session=True,  # Ctrl-C is for the referee
                )
                theirs.close()
                ours.send("\n".join(self._packages.path).encode() + b"\0" + config)
                answer = REPLIES.decode(ours.recv(1 << 16))
            except (OSError, msgspec.DecodeError) as error:
                complaints.seek(0)
                said = complaints.read(4000).decode("utf-8", "replace").strip() or str(error)
                self.close()
                raise BoxError(f"the zygote did not start ({python}): {said}") from error
            finally:
                theirs.close()
                os.close(lifeline)
        if not isinstance(answer, Up | Down):
            raise BoxError(f"the zygote answered its start with {answer!r}")
        return answer

    # Workers in waiting

    def _order(self) -> None:
        """Ask for one more worker; the answer is taken in when it is needed."""
        control = self._alive_control()
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe()
            request, ask, hear, reply, see, output = ends
            for descriptor in (ask, hear, see):
                os.set_blocking(descriptor, False)
            self._numbers += 1
            message = msgspec.msgpack.encode(Prepare(self._numbers))
            socket.send_fds(control, [message], [request, reply, output])
        except BaseException as error:
            for descriptor in ends:
                os.close(descriptor)
            if not isinstance(error, OSError):
                raise
            if isinstance(error, BrokenPipeError | ConnectionError | TimeoutError):
                raise self._died() from error
            raise BoxError(f"no pipes for another worker: {error}") from error
        for descriptor in (request, reply, output):
            os.close(descriptor)
        self._due[self._numbers] = Descriptors(ask, hear, see)

    def _take(self) -> Worker:
        with self._lock:
            if self._doubtful:
                self._recover()
            if not self._spares:
                if not self._due:
                    self._setback = ""  # an older order's
                    self._order()
                while not self._spares:
                    self._hear()
                    if self._setback:
                        why, self._setback = self._setback, ""
                        raise BoxError(f"no worker can be made: {why}")
            return self._spares.popleft()

    def _ask(self, request: type[Ask | End], number: int) -> Ended:
        with self._lock:
            control = self._alive_control()
            self._serials += 1
            serial = self._serials
            try:
                control.send(msgspec.msgpack.encode(request(number, serial)))
            except OSError as error:
                raise self._died() from error
            while True:
                answer = self._hear()
                if answer is None or answer.serial != serial:  # nobody waits for that one: Ctrl-C came first
                    continue
                if isinstance(answer, Failed):
                    raise BoxError(f"the zygote could not do it: {answer.why}")
                return answer

    def _recover(self) -> None:
        """Answers come in order: after the one to this question, what is still due was lost."""
        self._ask(End, 0)  # no worker has this number
        self._doubtful = False
        for number in list(self._due):
            self._due.pop(number).close()
            self._cancel(number)

    def _hear(self) -> Ended | Failed | None:
        """Take in one message; None when it was about a worker that was ordered."""
        try:
            return self._take_in()
        except Exception:
            raise
        except BaseException:
            self._doubtful = True
            raise

    def _take_in(self) -> Ended | Failed | None:
        control = self._alive_control()
        try:
            data, ancillary, _, _ = control.recvmsg(1 << 16, socket.CMSG_SPACE(12))
        except OSError as error:
            raise self._died() from error
        if not data:
            raise self._died()
        answer = REPLIES.decode(data)
        if isinstance(answer, Failed) and answer.number in self._due:
            self._due.pop(answer.number).close()
            self._setback = answer.why
            return None
        if isinstance(answer, Ended | Failed):
            return answer
        if not isinstance(answer, Prepared):
            raise BoxError(f"the zygote said {answer!r} out of turn")
        pid = answer.pid
        if Layer.NAMESPACES in self.layers:
            # As the kernel translates it; the zygote itself counts in its own namespace.
            pid = struct.unpack("3i", ancillary[0][2])[0]
        pipes = self._due.pop(answer.number, None)
        if pipes is None:  # Ctrl-C came between the order and our note of it
            self._cancel(answer.number)
            return None
        try:
            worker = Worker(self, answer.number, pid, pipes)
        except OSError as error:
            pipes.close()
            if error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise self._died() from error  # gone already: only its zygote's death can have reaped it
            self._cancel(answer.number)
            self._setback = str(error)
            return None
        self._workers.add(worker)
        self._spares.append(worker)
        return None

    def _cancel(self, number: int) -> None:
        """Have a worker ended that nobody holds; the answer is not waited for."""
        try:
            self._alive_control().send(msgspec.msgpack.encode(End(number, 0)))
        except OSError as error:
            raise self._died() from error

    def _place(self, worker: Worker, submission: Submission) -> str:
        """Where the worker will find a folder's files; without a private mount, a copy of our own."""
        if not self._temporary:
            return SUBMISSION
        # A name that others on this machine cannot guess; they cannot list what is around it either.
        worker.folder = os.path.join(self._temporary, secrets.token_hex(8))
        try:
            for name, content in submission.files.items():
                path = os.path.join(worker.folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(content)
            for place, _, names in os.walk(worker.folder):  # whatever our umask
                os.chmod(place, 0o755)
                for name in names:
                    os.chmod(os.path.join(place, name), 0o644)
        except OSError as error:
            raise BoxError(f"the folder of {submission.name} could not be copied: {error}") from error
        return worker.folder

    def _alive_control(self) -> socket.socket:
        if self._owner != os.getpid():
            raise BoxError("this Zygote belongs to another process: make a new one after a fork")
        if self._control is None:
            raise ZygoteDied("the zygote is closed, or has died")
        return self._control

    def _died(self) -> ZygoteDied:
        self._hang_up()
        return ZygoteDied("the zygote has died, and its workers with it")

    def _let_go(self) -> None:
        """Close every descriptor of ours."""
        for worker in list(self._workers):
            worker.abandon()
        self._workers.clear()
        self._spares.clear()
        for pipes in self._due.values():
            pipes.close()
        self._due.clear()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        lifeline, self._lifeline = self._lifeline, -1  # first: closed twice, it would be somebody else's
        if lifeline >= 0:
            os.close(lifeline)


def _refuse_windows() -> None:
    if os.name == "nt":
        raise MissingLayers(
            "Windows cannot run strangers' code safely: install WSL (`wsl --install`) and run this inside it."
        )


def _current_core() -> int | None:
    if sys.platform != "linux":
        return None
    allowed = os.sched_getaffinity(0)
    core = -1
    with (
        contextlib.suppress(OSError),  # /proc may be masked: then any core will do
        open("/proc/thread-self/stat", encoding="utf-8", errors="replace") as file,
    ):
        core = int(file.read().rpartition(")")[2].split()[36])  # proc(5): field 39, counted from 3 after the name
    return core if core in allowed else min(allowed)


def _after_fork() -> None:
    """In a forked child: let go of the parent's zygotes, or they would outlive it."""
    for zygote in list(_open_zygotes):
        zygote._lock = threading.RLock()  # a thread that is not here may have held it
        for worker in zygote._workers:
            worker.after_fork()
        zygote._let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
