"""The zygote's own process: builds the box once, then forks workers that wait in it for their files.

It is started by `sandbox.zygote` with an empty environment, holds no secrets and never sees a
submission: those go straight from the referee to the worker. Three kinds of process live here:

    guard    outside all namespaces; ends the zygote when the referee is gone
    zygote   pid 1 of its own pid namespace; answers the referee's requests, one at a time
    worker   a tiny init (pid 1) and the stranger (pid 2), both children of the zygote
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gc
import os
import platform
import select
import signal
import socket
import struct
import sys
import threading
from typing import Any, NoReturn

import msgspec

from sandbox import inside, packages, syscalls
from sandbox.channel import FrameReader, Kind, Load, frame
from sandbox.gate import Gate
from sandbox.layers import Layer, Refused, landlock, namespaces, rlimits, seccomp, uid
from sandbox.messages import REQUESTS, Ask, Config, Down, Ended, Failed, Prepare, Prepared, Up

# Where a worker finds its descriptors.
REQUEST, REPLY, RULES = 3, 4, 5
_FIRST_FREE = 10  # the zygote keeps everything below taken, so that what it receives never collides


class _Worker(msgspec.Struct):
    init: int  # 0 without a pid namespace
    stranger: int
    slot: int
    status: int | None = None
    peak: int = 0


def main(control: socket.socket, message: bytes) -> NoReturn:
    """The entry of the new interpreter; descriptor 0 is the control socket, 1 the lifeline."""
    nursery = _Nursery(msgspec.msgpack.decode(message, type=Config), control)
    try:
        nursery.start()
    except Refused as refused:
        nursery.say(Down(refused.why, refused.layer.value, refused.state == "missing"))
    except BaseException as error:
        nursery.say(Down(f"{type(error).__name__}: {error}"[:4000]))
    finally:
        os._exit(1)


@contextlib.contextmanager
def _refusal(layer: Layer) -> Any:
    try:
        yield
    except OSError as error:
        raise Refused(layer, error) from error


class _Nursery:
    def __init__(self, config: Config, control: socket.socket) -> None:
        self._config = config
        self._layers = config.layers
        self._control = control
        self._workers: dict[int, _Worker] = {}
        self._files_as: int | None = None
        self._first_uid = 0
        self._proc = -1
        self._own_pid_namespace = -1
        self._rules = -1
        self._filter: seccomp.Program | None = None
        self._data = self._size = 0

    # Starting

    def start(self) -> NoReturn:
        os.umask(0o022)
        if self._config.core is not None:
            os.sched_setaffinity(0, {self._config.core})
        if sys.platform == "linux":
            self._proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        if Layer.UID in self._layers:
            with _refusal(Layer.UID):
                self._first_uid = uid.own_range(os.getpid())
        if Layer.NAMESPACES in self._layers:
            with _refusal(Layer.NAMESPACES):
                namespaces.leave_host(self._first_uid if Layer.UID in self._layers else None)
            self._first_uid = 1  # as the new user namespace counts them
        alive, held = os.pipe()
        zygote = os.fork()
        if zygote:
            self._control.close()
            os.close(held)
            _guard(zygote, alive)
        os.close(alive)
        os.close(1)  # the lifeline is the guard's
        _raised(held)  # ends with this process, which tells the guard
        self._settle()
        self._serve()

    def _settle(self) -> None:
        """In the zygote: the private root, the rules, the modules."""
        if sys.platform == "linux":
            uid.die_with_parent()
        self._move_descriptors_up()
        if Layer.NAMESPACES in self._layers:
            with _refusal(Layer.NAMESPACES):
                self._own_pid_namespace = os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)
                namespaces.build_root(self._config.packages.readable, self._config.packages.hidden)
                namespaces.forbid_shared_memory(self._proc)
        elif Layer.UID in self._layers and uid.blind_without(self._first_uid, os.__file__):
            if Layer.LANDLOCK not in self._layers:
                why = f"a user without privileges cannot read {sys.base_prefix}, and without Landlock it must not as root"
                raise Refused(Layer.UID, PermissionError(13, why))
            self._files_as = os.stat(os.__file__).st_uid
        self._preload()
        if Layer.LANDLOCK in self._layers:
            with _refusal(Layer.LANDLOCK):
                self._rules = landlock.make_ruleset(self._readable(), self._writable())
        if Layer.SECCOMP in self._layers:
            try:
                self._filter = seccomp.assemble(platform.machine())
            except seccomp.UnsupportedMachine as unsupported:
                raise Refused(Layer.SECCOMP, OSError(errno.ENOSYS, str(unsupported))) from None
        if sys.platform == "linux":
            syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)  # nobody of the same user may look into the zygote
        gc.collect()
        gc.freeze()
        self._data, self._size = self._mapped()
        self.say(Up(self._rehearse()))

    def _move_descriptors_up(self) -> None:
        self._control = socket.socket(fileno=_raised(self._control.detach()))
        if self._proc >= 0:
            self._proc = _raised(self._proc)
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
        inside.gate = Gate(self._config.packages.names)
        sys.meta_path.insert(0, inside.gate)  # type: ignore[arg-type]  # find_spec is all it needs

    def _readable(self) -> list[str]:
        known = self._config.packages
        if Layer.NAMESPACES in self._layers:
            return [*known.readable, *namespaces.STATIC]
        # Without a private root nothing can be hidden, so the library is allowed piece by piece.
        rest = [path for path in known.readable if path not in known.library]
        return [*rest, *(entry for place in known.library for entry in packages.library_entries(place))]

    def _writable(self) -> list[str]:
        return [os.devnull, *(["/scratch"] if Layer.NAMESPACES in self._layers else [])]

    def _mapped(self) -> tuple[int, int]:
        """The bytes of data and of address space this process maps."""
        if sys.platform != "linux":
            return 0, 0
        with open(os.open("self/status", os.O_RDONLY, dir_fd=self._proc), encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return tuple(int(fields[name].split()[0]) * 1024 for name in ("VmData", "VmSize"))  # type: ignore[return-value]

    def _rehearse(self) -> int:
        """Play a whole worker through once, with an empty file: what the kernel refuses shows here, not in a
        game. Returns the memory such a worker touches, which is nobody's fault but ours.
        """
        down, up = os.pipe(), os.pipe()
        load = Load(entry="empty.py", files={"empty.py": b""}, memory=1 << 30, threads=32, descriptors=64, scratch=1 << 20)
        data = frame(0, 0, msgspec.msgpack.encode(load))
        os.write(down[1], data)
        worker = self._fork(lambda: self._stranger([down[0], up[1], down[0]]))
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
        if credentials and Layer.NAMESPACES in self._layers:
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
                    self.say(Ended(request.number, worker.status))
                else:
                    worker = self._workers.pop(request.number)
                    self._reap(worker)
                    self.say(Ended(request.number, worker.status, worker.peak))
            except (OSError, KeyError) as error:
                self.say(Failed(request.number, f"{type(error).__name__}: {error}"))
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    def _prepare(self, number: int, descriptors: list[int]) -> None:
        worker = self._workers[number] = self._fork(lambda: self._stranger(descriptors))
        self.say(Prepared(number, worker.stranger), credentials=worker.stranger)

    def _fork(self, stranger: Any) -> _Worker:
        """A new pid namespace with its init, and the stranger in it."""
        taken = {worker.slot for worker in self._workers.values()}
        slot = next((slot for slot in range(uid.SLOTS) if slot not in taken), len(taken) % uid.SLOTS)
        init = 0
        if Layer.NAMESPACES in self._layers:
            syscalls.setns(self._own_pid_namespace, syscalls.CLONE_NEWPID)
            syscalls.unshare(syscalls.CLONE_NEWPID)
            init = os.fork()
            if init == 0:
                _init()
        self._slot = slot
        try:
            pid = os.fork()
        except OSError:
            if init:
                os.kill(init, signal.SIGKILL)
                os.waitpid(init, 0)
            raise
        if pid == 0:
            stranger()
            os._exit(70)
        return _Worker(init, pid, slot)

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
        known = {worker.stranger for worker in self._workers.values()}
        known |= {worker.init for worker in self._workers.values()}
        for attempt in range(10_000):
            if os.waitpid(init, os.WNOHANG)[0]:
                return
            if attempt > 2:
                for child in self._children() - known - {init}:
                    with contextlib.suppress(ChildProcessError):
                        os.waitpid(child, os.WNOHANG)
            select.select([], [], [], 0.0002 if attempt < 100 else 0.002)
        raise TimeoutError(f"process {init} does not end")

    def _children(self) -> set[int]:
        path = f"self/task/{os.readlink('self', dir_fd=self._proc)}/children"
        try:
            with open(os.open(path, os.O_RDONLY, dir_fd=self._proc), encoding="ascii") as file:
                return {int(text) for text in file.read().split()}
        except OSError:
            return set()

    # In the worker

    def _stranger(self, descriptors: list[int]) -> None:
        reply = descriptors[1]
        try:
            self._lock_before()
            null = os.open(os.devnull, os.O_RDONLY)
            request, reply, output = descriptors
            for old, new in ((null, 0), (output, 1), (output, 2), (request, REQUEST), (reply, REPLY)):
                os.dup2(old, new)
            if self._rules >= 0:
                os.dup2(self._rules, RULES)
            reply = REPLY
            os.closerange(RULES + 1 if self._rules >= 0 else RULES, 256)
            inside.open_streams()
            os.write(REPLY, frame(0, Kind.WAITING, b""))
            load = inside.receive_load()
            if load.folder:
                self._open_folder(load)
            self._lock_after(load)
        except BaseException as error:
            os.write(reply, frame(0, Kind.FAULT, msgspec.msgpack.encode(_reason(error))))
            os._exit(71)
        os.write(REPLY, frame(0, Kind.LOCKED, b""))
        inside.run(load, Layer.NAMESPACES in self._layers)

    def _open_folder(self, load: Load) -> None:
        """Let the worker read the folder it came with."""
        if Layer.NAMESPACES in self._layers:
            namespaces.place_submission(load.files)
        elif Layer.LANDLOCK in self._layers:
            rules = landlock.make_ruleset([*self._readable(), load.folder], self._writable())
            os.dup2(rules, RULES)
            os.close(rules)

    def _lock_before(self) -> None:
        """The layers that do not depend on the file, in order."""
        os.setsid()
        if Layer.UID in self._layers:
            with _refusal(Layer.UID):
                uid.enter(self._first_uid + self._slot, self._files_as)
        if sys.platform == "linux":
            uid.die_with_parent()
        if Layer.NAMESPACES in self._layers:
            with _refusal(Layer.NAMESPACES):
                namespaces.enter(self._proc)
        if sys.platform == "linux":
            uid.forget_bounding_set()

    def _lock_after(self, load: Load) -> None:
        """The rest of the layers, in order; nothing of ours needs a power after this."""
        if Layer.NAMESPACES in self._layers:
            namespaces.resize_scratch(load.scratch)
        if Layer.RLIMITS in self._layers:
            with _refusal(Layer.RLIMITS):
                rlimits.enter(load, self._data, self._size)
        if sys.platform == "linux":
            syscalls.set_capabilities(0)
            syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
            syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
        if Layer.LANDLOCK in self._layers:
            with _refusal(Layer.LANDLOCK):
                landlock.enter(RULES)
        if self._rules >= 0:
            os.close(RULES)
        if self._filter is not None:
            with _refusal(Layer.SECCOMP):
                syscalls.seccomp_filter(self._filter.for_pid(os.getpid()))


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


def _guard(zygote: int, alive: int) -> NoReturn:
    """Wait until the referee is gone (the lifeline ends) or the zygote is; leave neither behind."""
    lifeline = 1
    select.select([lifeline, alive], [], [])
    with contextlib.suppress(ProcessLookupError):
        os.kill(zygote, signal.SIGKILL)
    os.waitpid(zygote, 0)
    os._exit(0)


def _init() -> NoReturn:
    """Pid 1 of a worker's namespace: takes in orphans and reaps them."""
    os.setsid()
    if sys.platform == "linux":
        uid.die_with_parent()
    os.closerange(0, 256)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    while True:
        signal.sigwait({signal.SIGCHLD})
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
