"""The zygote's own process: builds the box once, then forks workers that wait in it for their files.

It is started by `sandbox.zygote` with an empty environment, holds no secrets and never sees a
submission: those go straight from the referee to the worker. Three kinds of process live here:

    guard    outside all namespaces; ends the zygote when the referee is gone
    zygote   pid 1 of its own pid namespace; answers the referee's requests, one at a time
    worker   an idle init (pid 1) and the stranger (pid 2), both children of the zygote
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gc
import os
import select
import shutil
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from typing import NoReturn

import msgspec

from sandbox import inside, syscalls
from sandbox.box import Box
from sandbox.channel import FrameReader, Kind, Load, frame
from sandbox.gate import Gate
from sandbox.inside import REPLY, REQUEST
from sandbox.layers import Layer, Refused, rlimits, uid
from sandbox.messages import REQUESTS, Ask, Config, Down, Ended, Failed, Prepare, Prepared, Up

_LAST_DESCRIPTOR = 1 << 16  # the zygote holds a dozen; what packages opened may lie higher
_FIRST_FREE = 10  # the zygote keeps everything below taken, so that what it receives never collides


class _Worker(msgspec.Struct):
    init: int  # 0 without a pid namespace
    stranger: int
    slot: int
    stack: object  # init's
    status: int | None = None
    peak: int = 0


def main(control: socket.socket, message: bytes) -> NoReturn:
    """The entry of the new interpreter; descriptor 0 is the control socket, 1 the lifeline."""
    nursery = _Nursery(msgspec.msgpack.decode(message, type=Config), control)
    try:
        nursery.start()
    except Refused as refused:
        nursery.say(Down(refused.why, refused.layer.value, refused.missing))
    except BaseException as error:
        nursery.say(Down(f"{type(error).__name__}: {error}"[:4000]))
    finally:
        os._exit(1)


class _Nursery:
    def __init__(self, config: Config, control: socket.socket) -> None:
        self._config = config
        self._control = control
        self._box = Box(config)
        self._namespaced = Layer.NAMESPACES in config.layers
        self._own_pid_namespace = -1
        self._workers: dict[int, _Worker] = {}

    # Starting

    def start(self) -> NoReturn:
        os.umask(0o022)
        _plain_signals()
        if self._config.core is not None:
            os.sched_setaffinity(0, {self._config.core})
        self._box.leave_host()
        if sys.platform == "linux":
            syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)  # for the guard: nothing of the zygote's gets away
        alive, held = os.pipe()
        zygote = os.fork()
        if zygote:
            self._control.close()
            os.close(held)
            _guard(zygote, alive, self._config.temporary)
        os.close(alive)
        os.close(1)  # the lifeline is the guard's
        _raised(held)  # ends with this process, which tells the guard
        self._settle()
        self._serve()

    def _settle(self) -> None:
        """In the zygote: the private root, the modules, the rules; then say so."""
        if sys.platform == "linux":
            uid.die_with_parent()
        self._move_descriptors_up()
        if self._namespaced:
            self._own_pid_namespace = os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._box.proc)
        self._box.build_root()
        self._preload()
        self._box.finish()
        gc.collect()
        gc.freeze()
        self.say(Up(self._rehearse()))

    def _move_descriptors_up(self) -> None:
        self._control = socket.socket(fileno=_raised(self._control.detach()))
        if self._box.proc >= 0:
            self._box.proc = _raised(self._box.proc)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(_FIRST_FREE):
            if descriptor != null:
                os.dup2(null, descriptor, inheritable=False)

    def _preload(self) -> None:
        threading.stack_size(rlimits.THREAD_STACK)
        # Hooks that run after every fork cost a third of the fork, and all they mend (locks of threads
        # that are not there, a generator that is seeded anew) does not apply here.
        register, os.register_at_fork = os.register_at_fork, lambda **_: None
        try:
            inside.preload(self._config.preload)
        finally:
            os.register_at_fork = register
        _plain_signals()
        inside.gate = Gate(self._config.packages.names)
        sys.meta_path.insert(0, inside.gate)

    def _rehearse(self) -> int:
        """Play a whole worker through once, with an empty file: what the kernel refuses shows here, not in a
        game. Returns the memory such a worker touches, which is nobody's fault but ours.
        """
        down, up = os.pipe(), os.pipe()
        load = Load(
            entry="empty.py",
            files={"empty.py": b""},
            memory=1 << 30,
            threads=32,
            descriptors=64,
            scratch=1 << 20,
        )
        data = frame(0, 0, msgspec.msgpack.encode(load))
        os.write(down[1], data)
        worker = self._fork(lambda slot: self._stranger(slot, [down[0], up[1], down[0]]))
        for descriptor in (*down, up[1]):
            os.close(descriptor)
        with open(up[0], "rb") as file:
            said = file.read()
        self._reap(worker)
        reader = FrameReader(len(said))
        kind, payload = Kind.WAITING, b""
        while kind == Kind.WAITING and (message := reader.feed(said)):
            kind, payload, said = Kind(message.kind), message.payload, b""
        if kind == Kind.FAULT:
            layer, number, why = msgspec.msgpack.decode(payload, type=tuple[str, int, str])
            if not layer:
                raise RuntimeError(why)
            raise Refused(Layer(layer), OSError(number, why))
        if kind != Kind.LOCKED:
            raise RuntimeError(f"the rehearsal of the box ended with status {worker.status}")
        return worker.peak

    # Serving

    def say(self, message: object, credentials: int = 0) -> None:
        ancillary = []
        if credentials and self._namespaced:
            # The kernel translates a pid sent this way into the receiver's numbers.
            packed = struct.pack("3i", credentials, os.getuid(), os.getgid())
            ancillary = [(socket.SOL_SOCKET, socket.SCM_CREDENTIALS, packed)]
        self._control.sendmsg([msgspec.msgpack.encode(message)], ancillary)

    def _serve(self) -> NoReturn:
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._control, 4096, 3)
            if not data:
                os._exit(0)  # as pid 1 this ends every worker; without a namespace they die with their parent
            request = REQUESTS.decode(data)
            try:
                if isinstance(request, Prepare):
                    self._prepare(request.number, descriptors)
                elif isinstance(request, Ask):
                    worker = self._workers[request.number]
                    self._look(worker)
                    self.say(Ended(request.number, worker.status, serial=request.serial))
                else:
                    status, peak = None, 0
                    if request.number in self._workers:  # else it is asked for the second time
                        worker = self._workers[request.number]
                        self._reap(worker)
                        status, peak = worker.status, worker.peak
                        del self._workers[request.number]
                    self.say(Ended(request.number, status, peak, request.serial))
            except (OSError, KeyError) as error:
                serial = 0 if isinstance(request, Prepare) else request.serial
                self.say(Failed(request.number, f"{type(error).__name__}: {error}", serial))
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    def _prepare(self, number: int, descriptors: list[int]) -> None:
        if len(descriptors) != 3:
            raise OSError(errno.EMFILE, "the pipes of a new worker did not arrive: too many open files")
        worker = self._workers[number] = self._fork(lambda slot: self._stranger(slot, descriptors))
        self.say(Prepared(number, worker.stranger), credentials=worker.stranger)

    def _fork(self, stranger: Callable[[int], NoReturn]) -> _Worker:
        """A new pid namespace with its init, and the stranger in it."""
        taken = [worker.slot for worker in self._workers.values()]
        slot = min(range(uid.SLOTS), key=taken.count)  # shared, evenly, only when all are taken
        init, stack = 0, None
        if self._namespaced:
            syscalls.setns(self._own_pid_namespace, syscalls.CLONE_NEWPID)
            syscalls.unshare(syscalls.CLONE_NEWPID)
            # Pid 1: takes in orphans, and by its death ends all. A signal for which it has no handler does
            # nothing to it, its own namespace's SIGKILL included, so it needs no code. What it inherits it
            # does not reap: those end with it.
            stack = syscalls.idle_stack()
            init = syscalls.idle_process(stack)
        try:
            pid = os.fork()
        except OSError:
            if init:
                os.kill(init, signal.SIGKILL)
                os.waitpid(init, 0)
            raise
        if pid == 0:
            stranger(slot)
        return _Worker(init, pid, slot, stack)

    def _look(self, worker: _Worker) -> None:
        """Note how the stranger ended, if it did, but leave it: its pid must not be used again yet."""
        if worker.status is None:
            seen = os.waitid(os.P_PID, worker.stranger, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if seen is not None:
                killed = seen.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
                worker.status = seen.si_status if killed else seen.si_status << 8

    def _reap(self, worker: _Worker) -> None:
        """Returns when nothing of the worker is left."""
        if worker.init:
            os.kill(worker.init, signal.SIGKILL)  # takes everything in its namespace along
        else:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.stranger, signal.SIGKILL)
        ended = False
        while not ended:  # a traced child also reports stops: only an end counts
            _, status, used = os.wait4(worker.stranger, 0)
            ended = os.WIFEXITED(status) or os.WIFSIGNALED(status)
        worker.status, worker.peak = status, used.ru_maxrss * 1024
        if worker.init:
            self._reap_init(worker.init)

    def _reap_init(self, init: int) -> None:
        """Init ends only when its whole namespace is reaped, foreign children of ours included.

        A stranger that could clone with CLONE_PARENT (seccomp off) hands us its children.
        """
        ended = os.pidfd_open(init)
        try:
            for _ in range(1000):
                if select.select([ended], [], [], 0.02)[0]:
                    os.waitpid(init, 0)
                    return
                known = {pid for worker in self._workers.values() for pid in (worker.stranger, worker.init)}
                for child in self._children() - known - {init}:
                    with contextlib.suppress(ChildProcessError):
                        os.waitpid(child, os.WNOHANG)
        finally:
            os.close(ended)
        raise TimeoutError(f"process {init} does not end")

    def _children(self) -> set[int]:
        """Our children as we count them; the /proc we hold is the host's, and counts as the host does."""
        found = set()
        with contextlib.suppress(OSError):
            host = os.readlink("self", dir_fd=self._box.proc)
            for child in self._read_proc(f"self/task/{host}/children").split():
                numbers = self._read_proc(f"{child}/status").partition("\nNSpid:")[2].split("\n")[0].split()
                found.add(int(numbers[self._namespaced]))  # the host's, ours, its own
        return found

    def _read_proc(self, path: str) -> str:
        with open(os.open(path, os.O_RDONLY, dir_fd=self._box.proc), encoding="utf-8", errors="replace") as file:
            return file.read()

    # In the worker

    def _stranger(self, slot: int, descriptors: list[int]) -> NoReturn:
        request, reply, output = descriptors
        try:
            os.setsid()
            self._box.enter(slot)
            null = os.open(os.devnull, os.O_RDONLY)
            for old, new in ((null, 0), (output, 1), (output, 2), (request, REQUEST), (reply, REPLY)):
                os.dup2(old, new)
            reply = REPLY
            os.closerange(self._box.hold_rules(), _LAST_DESCRIPTOR)
            inside.open_streams()
            inside.rehearse()
            os.write(REPLY, frame(0, Kind.WAITING, b""))
            load = inside.receive_load()
            if load.folder:
                self._box.open_folder(load)
            handle = inside.find_adapter(load.adapter)
            self._box.lock(load)
            inside.arrange(load, self._namespaced)
        except BaseException as error:
            os.write(reply, frame(0, Kind.FAULT, msgspec.msgpack.encode(_reason(error))))
            os._exit(71)
        os.write(REPLY, frame(0, Kind.LOCKED, b""))
        inside.run(load, handle)


def _plain_signals() -> None:
    """What a process ignores or blocks it hands down; who ignores SIGCHLD cannot wait for its children.

    And an init shares our memory: it must have no handler that a stranger's signal could set off in it.
    """
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _raised(descriptor: int) -> int:
    new = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    os.close(descriptor)
    return new


def _reason(error: BaseException) -> tuple[str, int, str]:
    """The layer an error belongs to, its number and its text."""
    if isinstance(error, Refused):
        cause = error.__cause__
        return error.layer.value, (isinstance(cause, OSError) and cause.errno) or 0, error.why
    return "", 0, f"{type(error).__name__}: {error}"[:2000]


def _guard(zygote: int, alive: int, temporary: str) -> NoReturn:
    """Wait until the referee is gone (the lifeline ends) or the zygote is; leave nothing behind."""
    lifeline = 1
    select.select([lifeline, alive], [], [])
    with contextlib.suppress(ProcessLookupError):
        os.kill(zygote, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:  # without a pid namespace its workers die of their parent's death, and are ours by then
            os.waitpid(-1, 0)
    if temporary:
        shutil.rmtree(temporary, ignore_errors=True)
    os._exit(0)
