"""One stranger in one locked process, seen from outside: asked, timed, judged, killed.

`Worker.call` is the one door to a stranger. There is no second way to reach it.
"""

from __future__ import annotations

import array
import contextlib
import functools
import math
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

import msgspec

from sandbox import claims
from sandbox.channel import PLAIN_TYPE, BrokenFrame, FrameReader, Kind, Load, Message, Plain, Raised, frame
from sandbox.clock import cpu_clock
from sandbox.errors import BoxError, ZygoteDied
from sandbox.limits import Budget, Limits, MiB, Usage
from sandbox.memory import MemoryMeter
from sandbox.output import OutputLog
from sandbox.verdicts import Ending, Frame, Misconduct, Verdict, clean

if TYPE_CHECKING:
    from sandbox.zygote import Zygote

T = TypeVar("T")

_CHUNK = 64 * 1024
_LAST_WORDS = 0.1  # seconds a worker that is out of time has to say where it is
_CONT, _STOP = int(signal.SIGCONT), int(signal.SIGSTOP)  # plain numbers: enums cost a microsecond a turn
_PAUSE = 0.01  # seconds of silence that end those words
_GLANCE = 0.0005  # CPU seconds between looks at its memory
_TARDY = 0.05  # seconds by which a poll may end late before it is the referee's delay
_SLACK = 16 * MiB  # its main stack counts as no data, and the kernel's counts lag
_FAREWELL = 0.5  # seconds between closing its pipe and being gone, for a worker that simply ended
_encode = msgspec.msgpack.Encoder().encode
_raised = msgspec.msgpack.Decoder(Raised)
_names = msgspec.msgpack.Decoder(list[str])
_UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


@functools.lru_cache(maxsize=256)
def _decoder(reply: Any) -> Callable[[bytes], Any]:
    return msgspec.msgpack.Decoder(PLAIN_TYPE if reply is Plain else reply).decode


@functools.lru_cache(maxsize=256)
def _prefix(method: str) -> bytes:
    name = method.encode()
    return bytes((len(name),)) + name


class Descriptors(msgspec.Struct, frozen=True):
    """The referee's ends of a worker's three pipes; all non-blocking."""

    request: int
    reply: int
    output: int

    def close(self) -> None:
        for descriptor in (self.request, self.reply, self.output):
            os.close(descriptor)


class Worker:
    """Made by `Zygote.spawn`; loaded, frozen, and waiting to be asked.

    One thread at a time may ask it; `kill` may come from any. A Zygote may be shared by threads.
    """

    def __init__(self, zygote: Zygote, number: int, pid: int, pipes: Descriptors) -> None:
        self.name = ""
        self.pid = pid  # as the host counts
        self.methods: frozenset[str] = frozenset()  # of those the interface named, the ones it defines
        self._zygote = zygote
        self.number = number
        self.folder = ""  # its own copy of a submitted folder, where there is no private mount
        self._pipes = pipes
        self._limits = Limits()
        self._pidfd = -1
        self._send_signal: Callable[[int], None] = functools.partial(os.kill, pid)
        if sys.platform == "linux":
            self._pidfd = os.pidfd_open(pid)
            self._send_signal = functools.partial(signal.pidfd_send_signal, self._pidfd)
        self._clock = cpu_clock(pid)
        try:
            self._memory = MemoryMeter(pid)
        except OSError:
            os.close(self._pidfd)
            raise
        self._held_at_start = 0
        self._unglanced = 0.0  # CPU seconds since its memory was last looked at
        self._reader = FrameReader(self._limits.frame)
        self._output = OutputLog(pipes.output, self._limits.output_kept)
        self._poll = select.poll()
        self._poll.register(pipes.reply, select.POLLIN)
        self._poll.register(pipes.output, select.POLLIN)
        self._cpu_start = self._charged = self._cpu = self._wall = 0.0
        self._last_cpu = self._last_wall = 0.0
        self._numbers = array.array("I")  # of the questions to come
        self._peak = 0
        self._bank = 0.0
        self._alive = True
        self._closed = False
        self._locked = False  # no stranger's code has run yet: whatever fails is our fault
        self._lock = threading.RLock()  # held through a call: one at a time
        self._sending = False
        self._looked = self._deadline = self._excused = 0.0

    # What a caller needs

    @property
    def alive(self) -> bool:
        """Whether it can still be asked something."""
        return self._alive

    @property
    def usage(self) -> Usage:
        """What it has used so far."""
        if self._alive:
            with contextlib.suppress(OSError):
                self._measure()
        return Usage(self._cpu, self._wall, self._peak, self._output.total)

    @property
    def last(self) -> Usage:
        """What the last call used; the peak and the output are totals."""
        return msgspec.structs.replace(self.usage, cpu=self._last_cpu, wall=self._last_wall)

    @property
    def output(self) -> str:
        """What it printed, safe to show."""
        return claims.of_output(self._output.text(), self._zygote.host_paths)

    @property
    def bank(self) -> float:
        """The CPU seconds its calls may still overrun their budgets by."""
        return self._bank

    @overload
    def call(self, method: str, view: Any = None, *, budget: Budget = ..., reply: type[T]) -> T: ...
    @overload
    def call(self, method: str, view: Any = None, *, budget: Budget = ..., reply: Any = ...) -> Any: ...

    def call(self, method: str, view: Any = None, *, budget: Budget = Budget(), reply: Any = Plain) -> Any:  # noqa: B008
        """Ask the stranger; returns its answer, decoded strictly as `reply`, or raises Misconduct.

        `reply=None` wants no answer: whatever comes is ignored. After an `exception` or an
        `illegal-move` the worker can still be spoken to; after any other ending it is dead.
        """
        if not self._alive:
            raise BoxError(f"the worker of {self.name} is gone and cannot be asked {method!r}")
        question = _prefix(method) + _encode(view)
        if len(question) > self._limits.frame:
            raise BoxError(f"a question of {len(question):,} bytes is over the limit of {self._limits.frame:,}")
        if not self._numbers:
            # Not `random`: who has seen 624 numbers of that generator knows all that follow.
            self._numbers = array.array("I", os.urandom(1024))
        sequence = self._numbers.pop()
        if not self._lock.acquire(blocking=False):
            raise BoxError(f"the worker of {self.name} is being asked something by another thread")
        try:
            message = self._exchange(frame(sequence, Kind.ANSWER, question), sequence, budget, method)
            return self._judge(message, reply, method)
        finally:
            self._lock.release()

    def _judge(self, message: Message, reply: Any, method: str) -> Any:
        if reply is None and message.kind in (Kind.ANSWER, Kind.MISFIT):
            return None
        if message.kind == Kind.ANSWER:
            return self._decode(message.payload, reply, method)
        if message.kind == Kind.RAISED:
            self._judge_exception(message.payload, method)
        if message.kind == Kind.MISFIT:
            came = message.payload.decode("utf-8", "replace")
            raise Misconduct(claims.of_misfit(method, reply, f"got {came}"))
        return self._end(Ending.PROTOCOL, f"a frame of unknown kind {message.kind}", method)

    def kill(self) -> Usage:
        """Kill it with everything it started; returns its usage when nothing of it is left."""
        self._alive = False
        if not self._lock.acquire(blocking=False):
            self._signal(signal.SIGKILL)  # another thread asks it something: that ends by this
            self._lock.acquire()
        try:
            if not self._closed:  # again after Ctrl-C, if that came in between
                with contextlib.suppress(OSError):
                    self._measure()
                self._output.drain()
                self._end_it()
        finally:
            self._lock.release()
        return self.usage

    def _end_it(self) -> None:
        try:
            self._peak = max(self._peak, self._zygote.end(self) - self._zygote.baseline)
        except ZygoteDied:
            self._close()  # and so is the worker
        except BoxError:
            self._close()
            raise
        else:
            self._close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    # For the zygote's handle

    def abandon(self) -> None:
        """Close our ends; its zygote is going, and takes it along."""
        self._alive = False
        if self._lock.acquire(blocking=False):  # else another thread is at it, finds the zygote gone, and kills
            try:
                if not self._closed:
                    self._close()
            finally:
                self._lock.release()

    def after_fork(self) -> None:
        """In a forked child: the thread that may have held the lock is not here."""
        self._lock = threading.RLock()

    def settle(self) -> None:
        """Wait until it waits for its file."""
        poll = select.poll()
        poll.register(self._pipes.reply, select.POLLIN)
        poll.poll(1000 * self._limits.load.deadline)

    def load(self, name: str, load: Load, limits: Limits) -> None:
        """Hand over the submission and wait until it is loaded; raises Misconduct if it does not."""
        self.name = name
        self._limits = limits
        self._bank = limits.bank
        self._reader = FrameReader(limits.frame)
        self._output = OutputLog(self._pipes.output, limits.output_kept)
        self._held_at_start = self._memory.held()
        self._cpu_start = self._charged = self._cpu_now()
        message = self._exchange(frame(0, 0, _encode(load)), 0, limits.load, "")
        if message.kind == Kind.RAISED:
            self._judge_exception(message.payload, "")
        if message.kind != Kind.READY:
            self._end(Ending.PROTOCOL, f"a frame of kind {message.kind} while loading", "")
        try:
            claimed = _names.decode(message.payload)
        except _UNDECODABLE:
            self._end(Ending.PROTOCOL, "it did not say what it defines", "")
        self.methods = frozenset(claimed) & {*load.required, *load.optional}
        if not self.methods.issuperset(load.required):
            self._end(Ending.PROTOCOL, "it hides methods it must define", "")

    # One exchange

    def _exchange(self, data: bytes, sequence: int, budget: Budget, method: str) -> Message:
        """Thaw, ask, wait for one whole frame or the end of the budget, freeze, charge."""
        pipes = self._pipes
        begun = self._looked = time.monotonic()
        self._deadline = begun + budget.deadline
        allowed = budget.cpu + self._bank
        wait = min(allowed, budget.deadline)
        message = None
        try:
            unsent = self._write(data)
            self._signal(_CONT)
            while message is None:
                for descriptor, _ in self._poll.poll(math.ceil(wait * 1000)):
                    if descriptor == pipes.reply:
                        message = self._receive(method)
                        while message is not None and not self._locked:
                            self._locked = self._hear_locked(message)
                            message = self._receive(method, read=False)
                    elif descriptor == pipes.output:
                        if not self._output.drain():
                            self._poll.unregister(descriptor)  # it closed both streams: nothing more will come
                        if self._output.total > self._limits.output:
                            self._end(
                                Ending.OUTPUT_LIMIT,
                                f"more than {self._limits.output:,} bytes printed",
                                method,
                            )
                    else:
                        unsent = self._write(unsent)
                if message is None:
                    wait = self._time_left(allowed, begun, wait, budget, method)
        finally:
            if self._alive:
                self._signal(_STOP)
                if self._sending:
                    self._await_room(False)
                self._alive = message is not None  # else Ctrl-C: it owes an answer, and cannot be asked again
            ended = time.monotonic()
            self._last_wall = ended - begun
            self._wall += self._last_wall
            self._last_cpu = max(0.0, self._cpu_start + self._cpu - self._charged)  # if it was killed: as measured then
        now = self._cpu_now()
        used = now - self._charged
        self._charged = now
        self._last_cpu = used
        if used > allowed:
            self._end(Ending.CPU_TIMEOUT, _overrun("CPU", used, allowed), method)
        if ended > self._deadline + self._own_delay(ended, wait):
            self._end(Ending.WALL_TIMEOUT, _overrun("wall", ended - begun, budget.deadline), method)
        if self._reader.left:
            self._end(Ending.PROTOCOL, f"{self._reader.left:,} bytes more than one answer", method)
        if message.sequence != sequence:
            self._end(Ending.PROTOCOL, "an answer to a question that was not asked", method)
        if used > budget.cpu:
            self._bank -= used - budget.cpu
        self._unglanced += used
        if self._unglanced > _GLANCE:
            self._glance_at_memory(method)
        return message

    def _write(self, data: bytes | memoryview) -> bytes | memoryview:
        """Send what the pipe takes; the rest is returned, and the poll told to wait for room."""
        try:
            sent = os.write(self._pipes.request, data)
            rest = memoryview(data)[sent:] if sent < len(data) else b""  # no copies: a folder may hold megabytes
            if not rest and not self._sending:
                return rest
        except BlockingIOError:
            rest = data
        except BrokenPipeError:
            rest = b""  # it closed its end, or died: reading will tell which
        self._await_room(bool(rest))
        return rest

    def _await_room(self, wanted: bool) -> None:
        if wanted != self._sending:
            self._sending = wanted
            if wanted:
                self._poll.register(self._pipes.request, select.POLLOUT)
            else:
                self._poll.unregister(self._pipes.request)

    def _receive(self, method: str, read: bool = True) -> Message | None:
        data = b""
        if read:
            data = os.read(self._pipes.reply, _CHUNK)
            if not data:
                self._judge_ending(method)
        try:
            return self._reader.feed(data)
        except BrokenFrame as broken:
            self._end(Ending.PROTOCOL, f"not an answer: {broken}", method)

    def _hear_locked(self, message: Message) -> bool:
        """The first frames of all: sent by our own code, since no stranger's has run before LOCKED."""
        if message.kind in (Kind.WAITING, Kind.LOCKED):
            return message.kind == Kind.LOCKED
        self.kill()
        try:
            layer, _, why = msgspec.msgpack.decode(message.payload, type=tuple[str, int, str])
        except msgspec.DecodeError:
            layer, why = "", "it did not say why"
        raise BoxError(f"a worker could not be locked in: {layer} {why}")

    def _time_left(self, allowed: float, begun: float, wait: float, budget: Budget, method: str) -> float:
        used = self._cpu_now() - self._charged
        now = time.monotonic()
        if used >= allowed:
            self._out_of_time(Ending.CPU_TIMEOUT, _overrun("CPU", used, allowed), method)
        self._deadline += self._own_delay(now, wait)
        self._looked = now
        if now >= self._deadline:
            self._deadline += self._kept_waiting()
        if now >= self._deadline:
            self._out_of_time(Ending.WALL_TIMEOUT, _overrun("wall", now - begun, budget.deadline), method)
        return min(allowed - used, self._deadline - now)

    def _own_delay(self, now: float, wait: float) -> float:
        """How much later than it meant to the referee looked: Ctrl-Z, a debugger, a machine that is busy."""
        late = now - self._looked - wait
        return late if late > _TARDY else 0.0

    def _kept_waiting(self) -> float:
        """Seconds for which the worker could have run but had no core, not counted so far. No sleeper has any."""
        total = self._memory.run_delay()
        new, self._excused = total - self._excused, total
        return new

    def _signal(self, number: int) -> None:
        try:
            self._send_signal(number)
        except ProcessLookupError:
            return  # dead and gone: the pipe will say so

    # Judging

    def _decode(self, payload: bytes, reply: Any, method: str) -> Any:
        try:
            return _decoder(reply)(payload)
        except msgspec.ValidationError as misfit:
            raise Misconduct(claims.of_misfit(method, reply, str(misfit))) from None
        except _UNDECODABLE as broken:
            self._end(Ending.PROTOCOL, f"not an answer: {clean(str(broken), 200)}", method)

    def _judge_exception(self, payload: bytes, method: str) -> NoReturn:
        try:
            said = _raised.decode(payload)
        except _UNDECODABLE:
            self._end(Ending.PROTOCOL, "a report of an exception that is none", method)
        verdict = claims.of_exception(said, method, self._zygote.host_paths)
        if verdict.ending is not Ending.EXCEPTION:
            self.kill()  # out of memory, or it asked to end
        raise Misconduct(verdict)

    def _judge_ending(self, method: str) -> NoReturn:
        """End of file on the pipe: the process ended by itself, or only closed it."""
        gone = self._wait_gone()
        if not self._alive:
            self._end(Ending.CRASH, "", method)
        self._output.drain()
        status = self._zygote.status(self) if gone else None
        frames = self._last_words()
        if status is None:
            self._end(Ending.PROTOCOL, "it closed its pipe", method)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            name = signal.Signals(number).name if number in signal.Signals._value2member_map_ else str(number)
            self._end(Ending.CRASH, f"the process was ended by {name}", method, frames)
        self._end(Ending.EXIT, f"the process exited with code {os.WEXITSTATUS(status)}", method, frames)

    def _wait_gone(self) -> bool:
        if self._pidfd < 0:
            time.sleep(_FAREWELL / 10)
            return True
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(_FAREWELL * 1000))

    def _out_of_time(self, ending: Ending, detail: str, method: str) -> NoReturn:
        """Ask it where it is (faulthandler answers, whatever it computes), then kill it."""
        self._output.drain()
        self._output.tail = b""
        self._signal(signal.SIGXCPU)
        until = time.monotonic() + _LAST_WORDS
        while (left := until - time.monotonic()) > 0:
            begun = b"most recent call first" in self._output.tail
            events = self._poll.poll(math.ceil(1000 * (min(left, _PAUSE) if begun else left)))
            if begun and not events:
                break  # it has said all
            for descriptor, _ in events:
                if descriptor == self._pipes.output and self._output.drain():
                    continue
                self._poll.unregister(descriptor)  # whatever it still answers is too late
        self._output.drain()
        self._end(ending, detail, method, self._last_words())

    def _last_words(self) -> tuple[Frame, ...]:
        return claims.of_dump(self._output.tail, self._zygote.host_paths)

    def _end(self, ending: Ending, detail: str, method: str, frames: tuple[Frame, ...] = ()) -> NoReturn:
        if not (self._alive and self._locked):
            self.kill()
            why = "was killed while it was asked" if self._locked else f"failed before its file was loaded: {detail}"
            raise BoxError(f"the worker of {self.name} {why}")
        self.kill()
        raise Misconduct(Verdict.of(ending, detail, method, frames))

    # Measuring

    def _glance_at_memory(self, method: str) -> None:
        """The limits inside count memory by what it is mapped as, which a stranger can change once it is filled.

        So what it holds is judged as well. To fill more than the slack takes longer than a glance is apart.
        """
        self._unglanced = 0.0
        held = self._memory.held() - self._held_at_start
        if held > self._limits.memory + _SLACK:
            detail = f"{held >> 20} MiB of memory held, {self._limits.memory >> 20} MiB allowed"
            self._end(Ending.MEMORY, detail, method)

    def _cpu_now(self) -> float:
        try:
            return self._clock()
        except OSError:
            # Only its zygote reaps it, and only when told to: so the zygote is gone.
            raise ZygoteDied(f"the zygote has died, and the worker of {self.name} with it") from None

    def _measure(self) -> None:
        self._cpu = self._clock() - self._cpu_start
        self._peak = max(self._peak, self._memory.peak() - self._zygote.baseline)

    def _close(self) -> None:
        self._closed = True
        self._pipes.close()
        self._memory.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)


def _overrun(kind: str, used: float, allowed: float) -> str:
    return f"{used:.6g} s of {kind} time used, {allowed:g} s allowed"
