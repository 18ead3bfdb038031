"""One stranger in one locked process, seen from outside: asked, judged, killed.

`Worker.call` is the one door to a stranger. There is no second way to reach it.
"""

from __future__ import annotations

import array
import contextlib
import functools
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

import msgspec

from sandbox import claims
from sandbox.channel import PLAIN_TYPE, Kind, Load, Message, Plain, Raised, frame
from sandbox.conversation import Breach, Conversation, HungUp, Pipes
from sandbox.errors import BoxError, ZygoteDied
from sandbox.limits import Budget, Limits, Usage
from sandbox.verdicts import Ending, Frame, Misconduct, Verdict, clean

if TYPE_CHECKING:
    from sandbox.zygote import Zygote

T = TypeVar("T")

_FAREWELL = 0.5  # seconds between closing its pipe and being gone, for a worker that simply ended
_ANSWER, _MISFIT, _RAISED = int(Kind.ANSWER), int(Kind.MISFIT), int(Kind.RAISED)  # plain: enums cost time a turn
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


class Worker:
    """Made by `Zygote.spawn`; loaded, frozen, and waiting to be asked.

    One thread at a time may ask it; `kill` may come from any. A Zygote may be shared by threads.
    """

    def __init__(self, zygote: Zygote, number: int, pid: int, pipes: Pipes) -> None:
        self.name = ""
        self.pid = pid  # as the host counts
        self.methods: frozenset[str] = frozenset()  # of those the interface named, the ones it defines
        self.number = number
        self.folder = ""  # its own copy of a submitted folder, where there is no private mount
        self._zygote = zygote
        self._limits = Limits()
        self._conversation = Conversation(pid, pipes)
        self._numbers = array.array("I")  # of the questions to come
        self._decoders: dict[str, tuple[Any, Callable[[bytes], Any]]] = {}  # by method: types hash slowly
        self._cpu = 0.0
        self._peak = 0
        self._alive = True
        self._closed = False
        self._lock = threading.RLock()  # held through a call: one at a time

    # What a caller needs

    @property
    def alive(self) -> bool:
        """Whether it can still be asked something."""
        return self._alive

    @property
    def usage(self) -> Usage:
        """What it has used so far."""
        if self._alive:
            self._measure()
        return Usage(self._cpu, self._conversation.wall, self._peak, self._conversation.output.total)

    @property
    def last(self) -> Usage:
        """What the last call used; the peak and the output are totals."""
        used = self._conversation
        return msgspec.structs.replace(self.usage, cpu=used.last_cpu, wall=used.last_wall)

    @property
    def output(self) -> str:
        """What it printed, safe to show."""
        return claims.of_output(self._conversation.output.text(), self._zygote.host_paths)

    @property
    def bank(self) -> float:
        """The CPU seconds its calls may still overrun their budgets by."""
        return self._conversation.bank

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
        if not self._lock.acquire(False):
            raise BoxError(f"the worker of {self.name} is being asked something by another thread")
        try:
            if not self._numbers:
                # Not `random`: who has seen 624 numbers of that generator knows all that follow.
                self._numbers = array.array("I", os.urandom(1024))
            message = self._ask(self._numbers.pop(), question, budget, method)
            if reply is None and message.kind in (_ANSWER, _MISFIT):
                return None
            if message.kind == _ANSWER:
                return self._decode(message.payload, reply, method)
            if message.kind == _MISFIT:
                came = message.payload.decode("utf-8", "replace")
                raise Misconduct(claims.of_misfit(method, reply, f"got {came}"))
            self._judge_other(message, method)
        finally:
            self._lock.release()

    def kill(self) -> Usage:
        """Kill it with everything it started; returns its usage when nothing of it is left."""
        self._alive = False
        if not self._lock.acquire(blocking=False):
            self._conversation.signal(signal.SIGKILL)  # another thread asks it something: that ends by this
            self._lock.acquire()
        try:
            if not self._closed:  # again after Ctrl-C, if that came in between
                self._measure()
                self._conversation.output.drain()
                self._end_it()
        finally:
            self._lock.release()
        return self.usage

    def _end_it(self) -> None:
        try:
            self._peak = max(self._peak, self._zygote.end(self) - self._zygote.baseline)
        except ZygoteDied:
            pass  # and so is the worker
        except BoxError:
            self._close()
            raise
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
        self._conversation.has_answer(self._limits.load.deadline)

    def load(self, name: str, load: Load, limits: Limits) -> None:
        """Hand over the submission and wait until it is loaded; raises Misconduct if it does not."""
        self.name = name
        self._limits = limits
        self._conversation.begin(limits)
        message = self._ask(0, _encode(load), limits.load, "")
        if message.kind != Kind.READY:
            self._judge_other(message, "")
        try:
            claimed = _names.decode(message.payload)
        except _UNDECODABLE:
            self._end(Ending.PROTOCOL, "it did not say what it defines", "")
        required = {name.removesuffix("()") for name in load.required}
        self.methods = frozenset(claimed) & (required | {name.removesuffix("()") for name in load.optional})
        if not self.methods.issuperset(required):
            self._end(Ending.PROTOCOL, "it hides methods it must define", "")

    # Judging

    def _ask(self, sequence: int, question: bytes, budget: Budget, method: str) -> Message:
        try:
            return self._conversation.exchange(frame(sequence, _ANSWER, question), sequence, budget)
        except Breach as breach:
            frames = claims.of_dump(breach.last_words, self._zygote.host_paths)
            self._end(breach.ending, breach.detail, method, frames)
        except HungUp:
            self._judge_ending(method)
        except BaseException:  # Ctrl-C: it owes an answer, and cannot be asked again
            self._alive = False
            raise

    def _decode(self, payload: bytes, reply: Any, method: str) -> Any:
        known, decode = self._decoders.get(method, (None, None))
        if decode is None or known is not reply:
            decode = _decoder(reply)
            self._decoders[method] = reply, decode
        try:
            return decode(payload)
        except msgspec.ValidationError as misfit:
            raise Misconduct(claims.of_misfit(method, reply, str(misfit))) from None
        except _UNDECODABLE as broken:
            self._end(Ending.PROTOCOL, f"not an answer: {clean(str(broken), 200)}", method)

    def _judge_other(self, message: Message, method: str) -> NoReturn:
        """What came instead of an answer: the report of an exception, or nothing there is."""
        if message.kind != _RAISED:
            self._end(Ending.PROTOCOL, f"a frame of kind {message.kind}, which was not asked for", method)
        try:
            said = _raised.decode(message.payload)
        except _UNDECODABLE:
            self._end(Ending.PROTOCOL, "a report of an exception that is none", method)
        verdict = claims.of_exception(said, method, self._zygote.host_paths)
        if verdict.ending is not Ending.EXCEPTION:
            self.kill()  # out of memory, or it asked to end
        raise Misconduct(verdict)

    def _judge_ending(self, method: str) -> NoReturn:
        """End of file on the pipe: the process ended by itself, or only closed it."""
        gone = self._conversation.has_ended(_FAREWELL)
        if not self._alive:
            self._end(Ending.CRASH, "", method)
        output = self._conversation.output
        output.drain()
        status = self._zygote.status(self) if gone else None
        frames = claims.of_dump(output.tail, self._zygote.host_paths)
        if status is None:
            self._end(Ending.PROTOCOL, "it closed its pipe", method)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            name = signal.Signals(number).name if number in signal.Signals._value2member_map_ else str(number)
            self._end(Ending.CRASH, f"the process was ended by {name}", method, frames)
        self._end(Ending.EXIT, f"the process exited with code {os.WEXITSTATUS(status)}", method, frames)

    def _end(self, ending: Ending, detail: str, method: str, frames: tuple[Frame, ...] = ()) -> NoReturn:
        was_alive, locked = self._alive, self._conversation.locked
        self.kill()
        if was_alive and locked:
            raise Misconduct(Verdict.of(ending, detail, method, frames)) from None
        why = "was killed while it was asked" if locked else f"failed before its file was loaded: {detail}"
        raise BoxError(f"the worker of {self.name} {why}") from None

    # Measuring

    def _measure(self) -> None:
        with contextlib.suppress(OSError):
            self._cpu = self._conversation.cpu
            self._peak = max(self._peak, self._conversation.memory.peak() - self._zygote.baseline)

    def _close(self) -> None:
        self._closed = True
        self._conversation.close()
