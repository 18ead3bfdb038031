"""A tiny assembler for the classic BPF programs that seccomp runs: tests, forward jumps and answers.

The kernel hands the program a `struct seccomp_data` (number, architecture, instruction pointer, six arguments
of 64 bits) that it can load only as 32-bit words; the low word comes first on both machines we know.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass
from enum import Enum

# linux/bpf_common.h; each takes its operand from the instruction (BPF_K).
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_AND = 0x54  # BPF_ALU | BPF_AND
_JUMP = 0x05  # BPF_JMP | BPF_JA
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ
_IF_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE, unsigned
_IF_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET
_RETURN = 0x06  # BPF_RET
_FARTHEST = 255  # a conditional jump counts the lines to skip in eight bits, BPF_JA in 32

_SOCK_FILTER = struct.Struct("<HBBI")  # linux/filter.h: code, jt, jf, k
_OFFSET_OF_K = 4

# linux/seccomp.h, offsets in struct seccomp_data
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

# No process has this pid (linux/threads.h: PID_MAX_LIMIT is 2**22), so an unpatched program allows less, not
# more: zero would have let kill(0) reach the whole process group.
_NO_PID = 0x7FFFFFFF


class Answer(Enum):
    """What a program returns to the kernel (linux/seccomp.h)."""

    ALLOW = 0x7FFF0000  # SECCOMP_RET_ALLOW
    EPERM = 0x00050000 | errno.EPERM  # SECCOMP_RET_ERRNO: the call is not made, its result is this errno
    ENOSYS = 0x00050000 | errno.ENOSYS  # "this kernel has no such call": the caller takes its older way
    ENOMEM = 0x00050000 | errno.ENOMEM
    DONE = 0x00050000  # errno 0: the call is not made, and reported as a success


Target = Answer | str | None  # where a jump goes: an answer, a label further down, or the next line


@dataclass(frozen=True, slots=True)
class Program:
    """A program but for the pid of the process that it will be installed in."""

    code: bytes  # an array of struct sock_filter, as struct sock_fprog wants it
    pid_slots: tuple[int, ...]  # byte offsets in `code` of the 32-bit operands that must hold the pid

    @property
    def length(self) -> int:
        return len(self.code) // _SOCK_FILTER.size

    def for_pid(self, pid: int) -> bytes:
        """The code for this process; the pid is the one the process itself sees, in its own namespace."""
        if not 0 < pid < _NO_PID:
            raise ValueError(f"{pid} is not the pid of one process: 0 and below name groups of them")
        code = bytearray(self.code)
        for slot in self.pid_slots:
            struct.pack_into("<I", code, slot, pid)
        return bytes(code)


@dataclass(frozen=True, slots=True)
class _Line:
    code: int
    operand: int
    then: Target = None
    otherwise: Target = None
    is_pid: bool = False


class Listing:
    """A program being written, top down."""

    def __init__(self) -> None:
        self._lines: list[_Line | str] = []  # a string is a label

    def label(self, name: str) -> None:
        """A jump goes to the nearest label of its name below it: labels may repeat."""
        self._lines.append(name)

    def load_number(self) -> None:
        self._lines.append(_Line(_LOAD, _NUMBER))

    def load_architecture(self) -> None:
        self._lines.append(_Line(_LOAD, _ARCHITECTURE))

    def load_low(self, argument: int) -> None:
        self._lines.append(_Line(_LOAD, _ARGUMENTS + 8 * argument))

    def load_high(self, argument: int) -> None:
        self._lines.append(_Line(_LOAD, _ARGUMENTS + 8 * argument + 4))

    def keep_bits(self, bits: int) -> None:
        self._lines.append(_Line(_AND, bits))

    def if_equal(self, value: int, then: Target = None, otherwise: Target = None) -> None:
        self._lines.append(_Line(_IF_EQUAL, value, then, otherwise))

    def if_own_pid(self, then: Target = None, otherwise: Target = None) -> None:
        self._lines.append(_Line(_IF_EQUAL, _NO_PID, then, otherwise, is_pid=True))

    def if_at_least(self, value: int, then: Target = None, otherwise: Target = None) -> None:
        self._lines.append(_Line(_IF_AT_LEAST, value, then, otherwise))

    def if_any_bit(self, bits: int, then: Target = None, otherwise: Target = None) -> None:
        self._lines.append(_Line(_IF_ANY_BIT, bits, then, otherwise))

    def answer(self, answer: Answer) -> None:
        self._lines.append(_Line(_RETURN, answer.value))

    def link(self) -> Program:
        """Append the answers that jumps can go to, and resolve the jumps.

        All jumps go forward, so from the last line upwards every distance is known when it is needed.
        """
        upwards: list[bytes] = []  # instructions, the last of the program first
        height: dict[Target, int] = {}  # how many instructions there are from a target to the end
        pids: list[int] = []

        def skip(target: Target) -> int:
            return len(upwards) - height[target]

        for answer in Answer:
            upwards.append(_SOCK_FILTER.pack(_RETURN, 0, 0, answer.value))
            height[answer] = len(upwards)
        for line in reversed(self._lines):
            if isinstance(line, str):
                height[line] = len(upwards)
                continue
            if line.code in (_LOAD, _AND, _RETURN):
                upwards.append(_SOCK_FILTER.pack(line.code, 0, 0, line.operand))
                continue
            height[None] = len(upwards)
            near: list[int] = []
            for target in (line.then, line.otherwise):
                # One more line may yet come between: the other branch's far jump.
                if skip(target) >= _FARTHEST:
                    upwards.append(_SOCK_FILTER.pack(_JUMP, 0, 0, skip(target)))
                    near.append(len(upwards))
                else:
                    near.append(height[target])
            jt, jf = (len(upwards) - place for place in near)
            upwards.append(_SOCK_FILTER.pack(line.code, jt, jf, line.operand))
            if line.is_pid:
                pids.append(len(upwards))
        slots = tuple(_SOCK_FILTER.size * (len(upwards) - height) + _OFFSET_OF_K for height in reversed(pids))
        return Program(code=b"".join(reversed(upwards)), pid_slots=slots)
