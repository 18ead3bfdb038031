"""A classic BPF machine for tests: it decodes, checks as the kernel would, runs and prints a seccomp program.

Written from linux/filter.h and the kernel's checkers (bpf_check_classic, seccomp_check_filter), apart from
the assembler that it judges. It knows only the instructions that the kernel's own emulator knows
(seccomp_is_const_allow): with any other the kernel gives up its cache of always-allowed calls.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

LD_W_ABS, ALU_AND, RET_K = 0x20, 0x54, 0x06
JMP_JA, JMP_JEQ, JMP_JGT, JMP_JGE, JMP_JSET = 0x05, 0x15, 0x25, 0x35, 0x45
CONDITIONS = {JMP_JEQ: "==", JMP_JGT: ">", JMP_JGE: ">=", JMP_JSET: "&"}
BPF_MAXINSNS = 4096
SIZE_OF_SECCOMP_DATA = 64
FIELDS = {0: "nr", 4: "arch", 8: "ip.low", 12: "ip.high"} | {
    16 + 8 * argument + 4 * half: f"args[{argument}].{'high' if half else 'low'}"
    for argument in range(6)
    for half in range(2)
}


class Instruction(NamedTuple):
    code: int
    jt: int
    jf: int
    k: int


class Outcome(NamedTuple):
    answer: int
    path: tuple[int, ...]  # the line numbers that ran


class Refused(Exception):
    """The kernel would not load this program."""


def decode(code: bytes) -> list[Instruction]:
    return [Instruction(*fields) for fields in struct.iter_unpack("<HBBI", code)]


def check(program: list[Instruction]) -> None:
    """Raise `Refused` where the kernel would answer EINVAL."""
    if not 0 < len(program) <= BPF_MAXINSNS:
        raise Refused(f"{len(program)} instructions")
    for line, (code, jt, jf, k) in enumerate(program):
        if code == LD_W_ABS:
            if k % 4 or k >= SIZE_OF_SECCOMP_DATA:
                raise Refused(f"line {line} loads offset {k}")
        elif code == JMP_JA:
            if line + 1 + k >= len(program):
                raise Refused(f"line {line} jumps out of the program")
        elif code in CONDITIONS:
            if line + 1 + max(jt, jf) >= len(program):
                raise Refused(f"line {line} jumps out of the program")
        elif code not in (ALU_AND, RET_K):
            raise Refused(f"line {line} has the code {code:#x}")
    if program[-1].code != RET_K:
        raise Refused("the last instruction is no return")


def seccomp_data(number: int, architecture: int, arguments: tuple[int, ...]) -> tuple[int, ...]:
    """struct seccomp_data as sixteen words; missing arguments are zero."""
    padded = [argument % 2**64 for argument in arguments] + [0] * (6 - len(arguments))
    return struct.unpack("<16I", struct.pack("<IIQ6Q", number, architecture, 0, *padded))


def run(program: list[Instruction], data: tuple[int, ...]) -> Outcome:
    """Run a program that `check` accepts."""
    accumulator = line = 0
    path: list[int] = []
    while True:
        code, jt, jf, k = program[line]
        path.append(line)
        line += 1
        if code == LD_W_ABS:
            accumulator = data[k // 4]
        elif code == ALU_AND:
            accumulator &= k
        elif code == JMP_JA:
            line += k
        elif code == RET_K:
            return Outcome(k, tuple(path))
        else:
            holds = {
                JMP_JEQ: accumulator == k,
                JMP_JGT: accumulator > k,
                JMP_JGE: accumulator >= k,
                JMP_JSET: accumulator & k != 0,
            }[code]
            line += jt if holds else jf


def disassemble(program: list[Instruction]) -> list[str]:
    lines = []
    for line, (code, jt, jf, k) in enumerate(program, start=1):
        if code == LD_W_ABS:
            text = f"load {FIELDS[k]}"
        elif code == ALU_AND:
            text = f"and {k:#x}"
        elif code == JMP_JA:
            text = f"goto {line + k}"
        elif code == RET_K:
            text = f"return {k:#010x}"
        else:
            text = f"if {CONDITIONS[code]} {k:#x} goto {line + jt} else {line + jf}"
        lines.append(text)
    return lines
