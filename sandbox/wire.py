"""The wire to a zygote's process: starts it, carries what is said, and leaves nothing of it behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

import msgspec

from sandbox.conversation import Pipes
from sandbox.errors import BoxError, ZygoteDied
from sandbox.layers import Layer
from sandbox.layers.report import ADVICE, LayerReport, LayerState, caveat, possible
from sandbox.messages import REPLIES, Ask, Config, Down, End, Ended, Failed, Prepare, Prepared, Up
from sandbox.packages import Packages

# The whole of the new interpreter's command line: it stays readable on its stack, so it says nothing.
# -s -P -S: no user site, no current directory, no site; -I would ignore PYTHONHASHSEED as well.
_BOOT = (
    "import socket,sys;s=socket.socket(fileno=0);m=s.recv(1<<20);n=m.index(0);"
    "sys.path+=m[:n].decode().split('\\n');from sandbox.nursery import main;main(s,m[n+1:])"
)
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",  # NumPy starts a thread a core at import, and dies where it may not
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_PATIENCE = 30.0  # seconds for an answer of the zygote's own, which takes milliseconds


class Wire:
    """Of one Zygote, which sees to it that one thread speaks at a time."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._lifeline = -1  # the guard ends it all when nobody holds this
        self._namespaced = False
        self.baseline = 0  # bytes that an idle worker holds
        self.temporary = ""  # where folders are placed when there is no private mount

    @property
    def pid(self) -> int:
        """The host's process id of its guard; killing that ends it all."""
        return self._process.pid if self._process else 0

    @property
    def is_open(self) -> bool:
        return self._control is not None

    # Starting

    def start(
        self, known: Packages, preload: list[str], wanted: frozenset[Layer], core: int | None, hash_seed: int
    ) -> tuple[LayerReport, ...]:
        """Start with every layer wanted; one that is refused is noted, and the start made again without it."""
        core = _current_core() if core is None else core
        reports = possible(wanted, sys.platform, root=os.geteuid() == 0)
        layers = {layer for layer, line in reports.items() if line.state == LayerState.ACTIVE}
        while isinstance(answer := self._start_with(known, preload, frozenset(layers), core, hash_seed), Down):
            self.close()
            if not answer.layer:
                raise BoxError(f"the zygote could not start: {answer.why}")
            layer = Layer(answer.layer)
            state = LayerState.MISSING if answer.missing else LayerState.REFUSED
            reports[layer] = LayerReport(layer, state, answer.why, ADVICE[layer])
            layers.discard(layer)
        for layer in layers:
            reports[layer] = LayerReport(layer, LayerState.ACTIVE, caveat(layer, frozenset(layers)))
        self.baseline = answer.baseline
        return tuple(reports.values())

    def _start_with(
        self, known: Packages, preload: list[str], layers: frozenset[Layer], core: int | None, hash_seed: int
    ) -> Up | Down:
        self._namespaced = Layer.NAMESPACES in layers
        try:
            if not self._namespaced:
                self.temporary = tempfile.mkdtemp(prefix="referee-")
                os.chmod(self.temporary, 0o711)  # a worker's own user must find its folder, and no other's
            config = msgspec.msgpack.encode(Config(known, preload, layers, core, self.temporary))
            return self._launch("\n".join(known.path).encode() + b"\0" + config, hash_seed)
        except OSError as error:
            self.close()
            raise BoxError(f"the zygote did not start: {error}") from error

    def _launch(self, greeting: bytes, hash_seed: int) -> Up | Down:
        python = os.path.realpath(sys.executable)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        if sys.platform == "linux":
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ours.settimeout(_PATIENCE)
        with theirs, tempfile.TemporaryFile() as complaints:  # not a pipe: nobody would read it later
            lifeline, self._lifeline = os.pipe()
            try:
                self._process = subprocess.Popen(
                    [python, "-s", "-P", "-S", "-c", _BOOT],
                    env=ENVIRONMENT | {"PYTHONHASHSEED": str(hash_seed)},
                    cwd="/",
                    stdin=theirs.fileno(),
                    stdout=lifeline,
                    stderr=complaints,
                    start_new_session=True,  # Ctrl-C is for the referee
                )
                theirs.close()
                ours.send(greeting)
                answer = REPLIES.decode(ours.recv(1 << 16))
            except (OSError, msgspec.DecodeError) as error:
                complaints.seek(0)
                said = complaints.read(4000).decode("utf-8", "replace").strip() or str(error)
                self.close()
                raise BoxError(f"the zygote did not start ({python}): {said}") from error
            finally:
                os.close(lifeline)
        if not isinstance(answer, Up | Down):
            raise BoxError(f"the zygote answered its start with {answer!r}")
        return answer

    # Speaking

    def order(self, number: int) -> Pipes:
        """Ask for a worker; our ends of its pipes."""
        control = self._open_control()
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe()
            request, ask, hear, reply, see, output = ends
            for descriptor in (ask, hear, see):
                os.set_blocking(descriptor, False)
            socket.send_fds(control, [msgspec.msgpack.encode(Prepare(number))], [request, reply, output])
        except BaseException as error:
            for descriptor in ends:
                os.close(descriptor)
            if not isinstance(error, OSError):
                raise
            if isinstance(error, BrokenPipeError | ConnectionError | TimeoutError):
                raise self.died() from error
            raise BoxError(f"no pipes for another worker: {error}") from error
        for descriptor in (request, reply, output):
            os.close(descriptor)
        return Pipes(ask, hear, see)

    def say(self, request: Ask | End) -> None:
        control = self._open_control()
        try:
            control.send(msgspec.msgpack.encode(request))
        except OSError as error:
            raise self.died() from error

    def hear(self) -> Prepared | Ended | Failed:
        """The next message; they come in the order of the requests."""
        control = self._open_control()
        try:
            data, ancillary, _, _ = control.recvmsg(1 << 16, socket.CMSG_SPACE(12))
        except OSError as error:
            raise self.died() from error
        if not data:
            raise self.died()
        answer = REPLIES.decode(data)
        if isinstance(answer, Up | Down):
            raise BoxError(f"the zygote said {answer!r} out of turn")
        if isinstance(answer, Prepared) and self._namespaced:
            # As the kernel translates it; the zygote itself counts in its own namespace.
            return Prepared(answer.number, struct.unpack("3i", ancillary[0][2])[0])
        assert isinstance(answer, Prepared | Ended | Failed)
        return answer

    def _open_control(self) -> socket.socket:
        if self._owner != os.getpid():
            raise BoxError("this Zygote belongs to another process: make a new one after a fork")
        if self._control is None:
            raise ZygoteDied("the zygote is closed, or has died")
        return self._control

    # Ending

    def died(self) -> ZygoteDied:
        self.hang_up()
        return ZygoteDied("the zygote has died, and its workers with it")

    def hang_up(self) -> None:
        """Close every descriptor; the process ends by that, unless it is another's who forked us."""
        if self._control is not None:
            self._control.close()
            self._control = None
        lifeline, self._lifeline = self._lifeline, -1  # first: closed twice, it would be somebody else's
        if lifeline >= 0:
            os.close(lifeline)

    def close(self) -> None:
        """End the zygote; nothing of it is left when this returns."""
        self.hang_up()
        if self._owner != os.getpid():
            return
        if self._process is not None:
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()  # its zygote dies with it
                self._process.wait()
            self._process = None
        if self.temporary:  # its guard has removed it, unless that was killed
            shutil.rmtree(self.temporary, ignore_errors=True)
            self.temporary = ""


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
