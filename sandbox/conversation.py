"""One question and its answer, from outside: a worker thawed, asked over its pipes, timed, and frozen again.

Nobody is judged here. What breaks a conversation off is raised, and what follows is for the worker to say.
"""

from __future__ import annotations

import functools
import os
import select
import signal
import sys
import time

import msgspec

from sandbox.channel import BrokenFrame, FrameReader, Kind, Message
from sandbox.claims import without_dump
from sandbox.clock import Deadline, cpu_clock, run_delay
from sandbox.errors import BoxError, ZygoteDied
from sandbox.limits import Budget, Limits, MiB
from sandbox.memory import MemoryMeter
from sandbox.output import OutputLog
from sandbox.verdicts import Ending

_CHUNK = 64 * 1024
_CONT, _STOP = int(signal.SIGCONT), int(signal.SIGSTOP)  # plain numbers: enums cost a microsecond a turn
_LAST_WORDS = 0.1  # seconds a worker that is out of time has to say where it is
_PAUSE = 0.01  # seconds of silence that end those words
_MOST_WORDS = 1 * MiB
_GLANCE = 0.0005  # seconds of CPU between looks at its memory
_BRIEF = 0.001  # seconds of a call in which nobody waits long for a core
_SLACK = 16 * MiB  # its main stack counts as no data, and the kernel's counts lag


class Breach(Exception):
    """The stranger broke the conversation off, or made us do it."""

    def __init__(self, ending: Ending, detail: str, last_words: bytes = b"") -> None:
        super().__init__(detail)
        self.ending, self.detail, self.last_words = ending, detail, last_words


class HungUp(Exception):
    """The end of file where an answer should be: the process ended, or only closed its pipe."""


class Pipes(msgspec.Struct, frozen=True):
    """The referee's ends of a worker's three pipes; all non-blocking."""

    request: int
    reply: int
    output: int

    def close(self) -> None:
        for descriptor in (self.request, self.reply, self.output):
            os.close(descriptor)


class Conversation:
    """With one worker, for its whole life. One thread at a time may speak."""

    def __init__(self, pid: int, pipes: Pipes) -> None:
        self._pid = pid
        self._pipes = pipes
        self._pidfd = -1
        self._send_signal = functools.partial(os.kill, pid)
        if sys.platform == "linux":
            self._pidfd = os.pidfd_open(pid)
            self._send_signal = functools.partial(signal.pidfd_send_signal, self._pidfd)
        self._clock = cpu_clock(pid)
        try:
            self.memory = MemoryMeter(pid)
        except OSError:
            os.close(self._pidfd)
            raise
        self._poll = select.poll()
        self._poll.register(pipes.reply, select.POLLIN)
        self._poll.register(pipes.output, select.POLLIN)
        self._unsent: bytes | memoryview = b""
        self.locked = False  # no stranger's code has run yet: whatever fails is our fault
        self._limits = Limits()
        self._charged = 0.0  # of its CPU clock
        self._excused = 0.0  # of its time without a core
        self._unglanced = 0.0  # CPU seconds since its memory was last looked at
        self.last_cpu = self.last_wall = self.wall = 0.0
        self._held_at_start = 0
        self._cpu_at_start = 0.0
        self._reader = FrameReader(self._limits.frame)
        self.output = OutputLog(pipes.output, self._limits.output_kept)
        self.bank = 0.0  # the CPU seconds its calls may still overrun their budgets by

    def begin(self, limits: Limits) -> None:
        """From here on what it uses is on its account."""
        self._limits = limits
        self.bank = limits.bank
        self._reader = FrameReader(limits.frame)
        self.output = OutputLog(self._pipes.output, limits.output_kept)
        self._held_at_start = self.memory.held()
        self._cpu_at_start = self._charged = self._cpu_now()

    @property
    def cpu(self) -> float:
        """The CPU seconds it has used, as of now; OSError once it is gone."""
        return self._clock() - self._cpu_at_start

    def exchange(self, data: bytes, sequence: int, budget: Budget) -> Message:
        """Thaw, ask, wait for one whole frame or the end of the budget, freeze, charge.

        Raises Breach, HungUp, or BoxError where it is nobody's fault; the worker has been frozen by then too.
        """
        begun = time.monotonic()
        allowed = budget.cpu + self.bank
        patience = budget.deadline
        deadline = Deadline(begun, patience, begun)
        wait = allowed if allowed < patience else patience
        try:
            self._write(data)
            self.signal(_CONT)
            while (message := self._take_in(self._poll.poll(wait * 1000))) is None:
                wait = self._time_left(allowed, deadline, wait)
        finally:
            self.signal(_STOP)
            ended = time.monotonic()
            self.last_wall = took = ended - begun
            self.wall += took
            now = self._cpu_now()
            self.last_cpu = used = now - self._charged
            self._charged = now
        if used > allowed:
            raise Breach(Ending.CPU_TIMEOUT, _overrun("CPU", used, allowed))
        if took > patience and deadline.left(ended, wait, self._kept_waiting) < 0:
            raise Breach(Ending.WALL_TIMEOUT, _overrun("wall", took, patience))
        if self._reader.left:
            raise Breach(Ending.PROTOCOL, f"{self._reader.left:,} bytes more than one answer")
        if message.sequence != sequence:
            raise Breach(Ending.PROTOCOL, "an answer to a question that was not asked")
        if used > budget.cpu:
            self.bank -= used - budget.cpu
        self._unglanced += used
        if self._unglanced > _GLANCE:
            self._glance_at_memory()
        if took > _BRIEF:
            self._kept_waiting()  # what it waited in this call is no excuse in the next
        return message

    def signal(self, number: int) -> None:
        try:
            self._send_signal(number)
        except ProcessLookupError:
            return  # dead and gone: the pipe will say so

    def has_answer(self, seconds: float) -> bool:
        """Wait until it has said something."""
        poll = select.poll()
        poll.register(self._pipes.reply, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def has_ended(self, seconds: float) -> bool:
        """Wait until its process is no more."""
        if self._pidfd < 0:
            time.sleep(seconds / 10)
            return True
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def close(self) -> None:
        self._pipes.close()
        self.memory.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)

    # What goes over the pipes

    def _write(self, data: bytes | memoryview) -> None:
        """Send what the pipe takes; for the rest the poll is told to wait for room."""
        try:
            sent = os.write(self._pipes.request, data)
            if sent == len(data) and not self._unsent:
                return
            rest = memoryview(data)[sent:]  # no copies: a folder may hold megabytes
        except BlockingIOError:
            rest = memoryview(data)
        except BrokenPipeError:
            rest = memoryview(b"")  # it closed its end, or died: reading will tell which
        if rest and not self._unsent:
            self._poll.register(self._pipes.request, select.POLLOUT)
        elif self._unsent and not rest:
            self._poll.unregister(self._pipes.request)
        self._unsent = rest

    def _take_in(self, events: list[tuple[int, int]]) -> Message | None:
        message = None
        for descriptor, _ in events:
            if descriptor == self._pipes.reply:
                data = os.read(descriptor, _CHUNK)
                if not data:
                    raise HungUp
                try:
                    message = self._reader.feed(data)
                    while message is not None and not self.locked:
                        self.locked = _is_locked(message)
                        message = self._reader.feed()
                except BrokenFrame as broken:
                    raise Breach(Ending.PROTOCOL, f"not an answer: {broken}") from None
            elif descriptor == self._pipes.output:
                if not self.output.drain():
                    self._poll.unregister(descriptor)  # it closed both streams: nothing more will come
                if self.output.total > self._limits.output:
                    raise Breach(Ending.OUTPUT_LIMIT, f"more than {self._limits.output:,} bytes printed")
            else:
                self._write(self._unsent)
        return message

    def _last_words(self) -> bytes:
        """Ask where it is; faulthandler answers, whatever it computes. What it prints itself meanwhile is logged."""
        self.output.drain()
        words = bytearray()
        self.signal(signal.SIGXCPU)
        until = time.monotonic() + _LAST_WORDS
        while (left := until - time.monotonic()) > 0 and len(words) < _MOST_WORDS:
            begun = b"most recent call first" in words
            events = self._poll.poll(1000 * (min(left, _PAUSE) if begun else left))
            if begun and not events:
                break  # it has said all
            for descriptor, _ in events:
                chunk = self.output.read() if descriptor == self._pipes.output else b""
                words += chunk
                if not chunk:
                    self._poll.unregister(descriptor)  # whatever it still answers is too late
        self.output.keep(without_dump(words))
        return bytes(words)

    # What it used

    def _time_left(self, allowed: float, deadline: Deadline, wait: float) -> float:
        used = self._cpu_now() - self._charged
        now = time.monotonic()
        if used >= allowed:
            raise Breach(Ending.CPU_TIMEOUT, _overrun("CPU", used, allowed), self._last_words())
        left = deadline.left(now, wait, self._kept_waiting)
        if left <= 0:
            detail = _overrun("wall", now - deadline.begun, deadline.seconds)
            raise Breach(Ending.WALL_TIMEOUT, detail, self._last_words())
        return min(allowed - used, left)

    def _kept_waiting(self) -> float:
        """Seconds for which it could have run but had no core, not counted so far. No sleeper has any."""
        total = run_delay(self._pid)
        new, self._excused = total - self._excused, total
        return new

    def _glance_at_memory(self) -> None:
        """The limits inside count memory by what it is mapped as, which a stranger can change once it is filled.

        So what it holds is judged as well. To fill more than the slack takes longer than a glance is apart.
        """
        self._unglanced = 0.0
        held = self.memory.held() - self._held_at_start
        if held > self._limits.memory + _SLACK:
            detail = f"{held >> 20} MiB of memory held, {self._limits.memory >> 20} MiB allowed"
            raise Breach(Ending.MEMORY, detail)

    def _cpu_now(self) -> float:
        try:
            return self._clock()
        except OSError:
            # Only its zygote reaps it, and only when told to: so the zygote is gone.
            raise ZygoteDied("the zygote has died, and its workers with it") from None


def _is_locked(message: Message) -> bool:
    """The first frames of all: sent by our own code, since no stranger's has run before LOCKED."""
    if message.kind in (Kind.WAITING, Kind.LOCKED):
        return message.kind == Kind.LOCKED
    try:
        layer, _, why = msgspec.msgpack.decode(message.payload, type=tuple[str, int, str])
    except msgspec.DecodeError:
        layer, why = "", "it did not say why"
    raise BoxError(f"a worker could not be locked in: {layer} {why}")


def _overrun(kind: str, used: float, allowed: float) -> str:
    return f"{used:.6g} s of {kind} time used, {allowed:g} s allowed"
