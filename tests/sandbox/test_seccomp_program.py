"""The seccomp program of both machines, emulated, against an independent statement of the policy."""

from __future__ import annotations

import os
import re
import statistics
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.layers.seccomp import POLICY, UnsupportedMachine, assemble
from sandbox.layers.syscall_numbers import HIGHEST, NUMBERS
from tests.sandbox import bpf

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*: EM_* | 64 bit | little endian
FOREIGN = (0x40000003, 0x40000028, 0xC00000F3, 0)  # AUDIT_ARCH_I386, _ARM, _RISCV64, nonsense
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
PID = 2
ALLOW, PRETEND = 0x7FFF0000, 0x00050000
EPERM, ENOMEM, ENOSYS = 0x00050001, 0x0005000C, 0x00050026
WORD = 2**32
MACHINES = pytest.mark.parametrize("machine", list(ARCHITECTURES))

# ---- The policy said again: a set of names, and a predicate for each call with conditions ----

PLAIN = frozenset(
    re.findall(
        r"\w+",
        """
    read write readv writev pread64 pwrite64 lseek close dup dup2 dup3 pipe poll ppoll select pselect6
    stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64 getcwd
    chdir fchdir statfs fstatfs mkdir mkdirat rmdir unlink unlinkat rename renameat ftruncate umask
    munmap mremap mprotect brk rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait sigaltstack
    pause alarm getitimer setitimer set_robust_list rseq gettid getpid getppid getuid geteuid getgid getegid
    getresuid getresgid getgroups getpgrp nanosleep gettimeofday time times getrusage getcpu sched_yield
    sched_getaffinity sysinfo uname getrandom getrlimit exit exit_group restart_syscall
    """,
    )
)
Arguments = tuple[int, ...]


def allowed_if(holds: bool, refusal: int = EPERM) -> int:
    return ALLOW if holds else refusal


def open_answer(flags: int) -> int:
    truncates, mode = bool(flags & 0o1000), flags & 3
    return allowed_if(mode in (1, 2) or (mode == 0 and not truncates))


def mmap_answer(flags: int) -> int:
    shared_anonymous = flags & 0x20 and flags & 1
    grows_down, locked, huge = flags & 0x100, flags & 0x2000, flags & 0x40000
    return allowed_if(not (shared_anonymous or grows_down or locked or huge), ENOMEM)


def clone_answer(flags: int) -> int:
    glibc, musl, required = 0x3D0F00, 0x7D0F00, 0x10F00
    assert glibc | musl == musl
    return allowed_if(flags & required == required and flags | musl == musl)


CONDITIONAL: dict[str, Callable[[Arguments], int]] = {
    "open": lambda a: open_answer(a[1] % WORD),
    "openat": lambda a: open_answer(a[2] % WORD),
    "mmap": lambda a: mmap_answer(a[3]),
    "clone": lambda a: clone_answer(a[0]),
    "kill": lambda a: allowed_if(a[0] % WORD == PID and a[1] % WORD != 18),
    "tgkill": lambda a: allowed_if(a[0] % WORD == PID and a[2] % WORD != 18),
    "getpgid": lambda a: allowed_if(a[0] % WORD in (0, PID)),
    "getsid": lambda a: allowed_if(a[0] % WORD in (0, PID)),
    "prlimit64": lambda a: allowed_if(a[0] % WORD in (0, PID) and a[2] == 0),
    "clock_gettime": lambda a: allowed_if(a[0] % WORD < 16),
    "clock_getres": lambda a: allowed_if(a[0] % WORD < 16),
    "clock_nanosleep": lambda a: allowed_if(a[0] % WORD < 16),
    "pipe2": lambda a: allowed_if(a[1] % WORD in (0, 0o2000000, 0o4000, 0o2004000)),
    "close_range": lambda a: allowed_if(a[2] % WORD in (0, 4)),
    "fcntl": lambda a: allowed_if(a[1] % WORD in (0, 1, 2, 3, 4, 1030, 1032)),
    "ioctl": lambda a: allowed_if(a[1] % WORD in (0x5401, 0x802C542A, 0x541B, 0x5421, 0x5450, 0x5451)),
    "prctl": lambda a: allowed_if(a[0] % WORD in (15, 16)),
    "madvise": lambda a: allowed_if(a[2] % WORD in (0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 102, 103)),
    # Between processes: to wait (0, 9) only. Within one (128): to wake and requeue as well.
    "futex": lambda a: allowed_if(
        a[1] % WORD & ~0x100 in (0, 9, *(128 + operation for operation in (0, 1, 3, 4, 5, 9, 10))), ENOSYS
    ),
    "fsync": lambda a: PRETEND,
    "fdatasync": lambda a: PRETEND,
    "msync": lambda a: PRETEND,
    "clone3": lambda a: ENOSYS,
    "openat2": lambda a: ENOSYS,
}


@cache
def name_of(machine: str) -> dict[int, str]:
    column = list(ARCHITECTURES).index(machine)
    return {number: name for name, row in NUMBERS.items() if (number := row[column]) is not None}


def expected(machine: str, architecture: int, number: int, arguments: Arguments) -> int:
    if architecture != ARCHITECTURES[machine] or number > 469:
        return ENOSYS
    name = name_of(machine).get(number, "")
    if name in CONDITIONAL:
        return CONDITIONAL[name]((*arguments, 0, 0, 0, 0, 0, 0))
    return allowed_if(name in PLAIN)


@cache
def program(machine: str) -> list[bpf.Instruction]:
    return bpf.decode(assemble(machine).for_pid(PID))


def outcome(machine: str, number: int, arguments: Arguments, architecture: int | None = None) -> bpf.Outcome:
    native = ARCHITECTURES[machine] if architecture is None else architecture
    return bpf.run(program(machine), bpf.seccomp_data(number, native, arguments))


BOUNDARIES = sorted(
    {0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 13, 14, 15, 16, 17, 22, 102, 103, 104, 1029, 1030, 1031, 1032, 1033}
    | {1 << bit for bit in range(64)}  # every flag alone, and every stray bit of the high word
    | {2**64 - 1, 2**32 - 1, 2**63 + PID, 2**32 + PID, PID - 2**32 + 2**64, 2**64 - PID}  # the last is -PID
    | {0o1000 | mode for mode in range(4)}  # O_TRUNC with each access mode
    | {0o1101 | 0o2000000, 0o2000000 | 0o4000}  # open(..., "w"), O_CLOEXEC | O_NONBLOCK
    | {0x21, 0x22, 0x23, 0x28, 0x122, 0x2022, 0x40022, 0x20022, 0x802, 0x811}  # MAP_* as they are combined
    | {0x3D0F00, 0x7D0F00, 0x10F00, 0x3D0F11, 0x4111, 0x01200011, 0x107D0F00}  # clone, as it is called
    | {0x3D0F00 | bit << 32 for bit in (1, 2, 1 << 31)}  # CLONE_CLEAR_SIGHAND, CLONE_INTO_CGROUP
    | {0x3D0F00 ^ 1 << bit for bit in range(32)}  # glibc's thread with each flag the other way
    | {operation | flags for operation in range(14) for flags in (0, 128, 256, 384, 512)}  # FUTEX_*
    | {0x5401, 0x5402, 0x5412, 0x541B, 0x541C, 0x5421, 0x5450, 0x5451, 0x5452, 0x802C542A, 0x402C542B}
    | {(~pid << 3 | 2) % 2**32 for pid in (1, PID, 4000)}  # the CPU clocks of processes
)


@MACHINES
def test_the_kernel_would_accept_the_program(machine: str) -> None:
    bpf.check(program(machine))


@MACHINES
def test_every_number_is_answered_as_the_policy_says(machine: str) -> None:
    x32 = [0x40000000 | number for number in (0, 1, 39, 56, 512, 547)]
    for number in [*range(601), *x32, 2**31, 2**32 - 1]:
        for arguments in ((), (1, 2, 3, 4, 5, 6), (2**64 - 1,) * 6):
            for architecture in (ARCHITECTURES[machine], *FOREIGN):
                answer = outcome(machine, number, arguments, architecture).answer
                assert answer == expected(machine, architecture, number, arguments), (number, arguments)


@MACHINES
def test_a_foreign_architecture_is_absent_whatever_the_number(machine: str) -> None:
    others = {*FOREIGN, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}
    answers = {outcome(machine, number, (), other).answer for number in range(601) for other in others}
    assert answers == {ENOSYS}


@MACHINES
def test_every_argument_of_every_known_call_is_judged_at_its_boundaries(machine: str) -> None:
    native = ARCHITECTURES[machine]
    for number, position, filler in product(name_of(machine), range(6), (0, 2**64 - 1)):
        for value in BOUNDARIES:
            arguments = tuple(value if here == position else filler for here in range(6))
            answer = outcome(machine, number, arguments).answer
            assert answer == expected(machine, native, number, arguments), (number, arguments)


@MACHINES
@given(data=st.data())
def test_any_call_is_answered_as_the_policy_says(machine: str, data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(sorted(name_of(machine))) | st.integers(0, 2**32 - 1))
    value = st.sampled_from(BOUNDARIES) | st.integers(0, 2**64 - 1) | st.integers(0, 2**32 - 1)
    arguments = data.draw(st.tuples(*[value] * 6))
    answer = outcome(machine, number, arguments).answer
    assert answer == expected(machine, ARCHITECTURES[machine], number, arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("kill", (PID, 9), ALLOW),
        ("kill", (PID, 18), EPERM),  # SIGCONT would undo the freeze
        ("tgkill", (PID, PID, 18), EPERM),
        ("tgkill", (PID, PID, 6), ALLOW),
        ("kill", (0, 9), EPERM),  # the process group
        ("kill", (-1, 9), EPERM),  # everybody
        ("kill", (-PID, 9), EPERM),
        ("kill", (PID + 2**32, 9), ALLOW),  # pid_t has 32 bits: this is PID to the kernel
        ("prlimit64", (0, 7, 2**32, 0), EPERM),  # a pointer whose low word is zero
        ("prlimit64", (PID, 7, 0, 1), ALLOW),
        ("prlimit64", (1, 7, 0, 1), EPERM),
        ("clone", (0x3D0F00,), ALLOW),  # glibc's pthread_create
        ("clone", (0x7D0F00,), ALLOW),  # musl's
        ("clone", (0x01200011,), EPERM),  # glibc's fork
        ("clone", (0x4111,), EPERM),  # vfork
        ("clone", (0x3D0F00 | 0x10000000,), EPERM),  # CLONE_NEWUSER
        ("clone", (0x3D0F00 | 0x200000000,), EPERM),  # CLONE_INTO_CGROUP
        ("openat", (0, 0, os.O_RDONLY | os.O_TRUNC), EPERM),
        ("openat", (0, 0, 3 | os.O_TRUNC), EPERM),
        ("openat", (0, 0, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666), ALLOW),
        ("mmap", (0, 4096, 3, 0x22, -1, 0), ALLOW),
        ("mmap", (0, 4096, 3, 0x21, -1, 0), ENOMEM),
        ("mmap", (0, 4096, 3, 0x23, -1, 0), ENOMEM),  # MAP_SHARED_VALIDATE | MAP_ANONYMOUS
        ("mmap", (0, 4096, 3, 0x122, -1, 0), ENOMEM),
        ("mmap", (0, 4096, 1, 0x01, 3, 0), ALLOW),
        ("ioctl", (0, 0x5412), EPERM),  # TIOCSTI
        ("ioctl", (0, 0x5412 | 2**32), EPERM),  # the kernel drops the high word: snapd's CVE-2019-7303
        ("clock_gettime", (~1 << 3 | 2,), EPERM),  # the CPU clock of pid 1
    ],
)
@MACHINES
def test_what_strangers_try(machine: str, name: str, arguments: Arguments, answer: int) -> None:
    number = NUMBERS[name][list(ARCHITECTURES).index(machine)]
    assert number is not None
    assert outcome(machine, number, arguments).answer == answer


def test_calls_that_must_never_be_allowed_are_not_in_the_table() -> None:
    dangerous = """socket connect bind ptrace process_vm_readv io_uring_setup bpf perf_event_open keyctl
    userfaultfd memfd_create unshare mount chroot setns execve execveat fork vfork personality flock
    sched_setaffinity chmod fchmod chown utimensat setxattr truncate symlink link mknod shmget semget msgget
    inotify_init1 modify_ldt vmsplice seccomp landlock_restrict_self setrlimit setpriority tkill renameat2
    pidfd_send_signal membarrier arch_prctl"""
    assert not NUMBERS.keys() & set(re.findall(r"\w+", dangerous))


@MACHINES
def test_every_known_number_is_reached_and_no_line_is_dead(machine: str) -> None:
    reached: set[int] = set()
    fates: dict[int, set[int]] = {}
    for number in range(HIGHEST + 2):
        for position in range(6):
            for value in BOUNDARIES if number in name_of(machine) else (0,):
                ran = outcome(machine, number, (0,) * position + (value,))
                reached.update(ran.path)
                fates.setdefault(number, set()).add(ran.answer)
    reached.update(outcome(machine, 0, (), FOREIGN[0]).path)
    not_refused = {number for number, answers in fates.items() if answers != {EPERM}}
    assert not_refused == {*name_of(machine), HIGHEST + 1}
    dead = set(range(len(program(machine)))) - reached
    text = bpf.disassemble(program(machine))
    assert not dead, [text[line] for line in sorted(dead)]


def test_both_machines_have_the_same_shape() -> None:
    """An architecture check, a search by halving, then the same rules in the same words."""
    rules = []
    for machine, architecture in ARCHITECTURES.items():
        text = bpf.disassemble(program(machine))
        assert text[0] == "load arch"
        assert text[1].startswith(f"if == {architecture:#x} goto 2 else ")
        assert text[2] == "load nr"
        start = next(line for line, words in enumerate(text) if words.startswith("load args"))
        assert all(words.startswith("if >= ") for words in text[3:start])
        rules.append([re.sub(r" goto .*", "", words) for words in text[start:]])
    x86_64, aarch64 = rules
    only_x86_64 = len(x86_64) - len(aarch64)  # the rule of open, which aarch64 lacks and which comes first
    assert x86_64[only_x86_64:] == aarch64
    assert x86_64[0] == "load args[1].low"


@MACHINES
def test_a_call_costs_about_a_dozen_instructions(machine: str) -> None:
    steps = [len(outcome(machine, number, (0,) * 6).path) for number in range(HIGHEST + 1)]
    assert max(steps) <= 20
    assert statistics.mean(steps) <= 12


# ---- The table of numbers ----


def test_the_table_names_exactly_the_calls_of_the_policy() -> None:
    named = [name for names, _ in POLICY for name in names.split()]
    assert sorted(named) == sorted(NUMBERS)
    assert set(named) == PLAIN | CONDITIONAL.keys()


@MACHINES
def test_numbers_agree_with_the_kernel_headers(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"{header} is not installed")
    text = header.read_text()
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", text)}
    # asm-generic gives one number to fcntl and fcntl64, and so on; a 64-bit machine uses the first name.
    shared = {name: int(number) for name, number in re.findall(r"#define __NR3264_(\w+)\s+(\d+)", text)}
    for name, alias in re.findall(r"#define __NR_(\w+)\s+__NR3264_(\w+)", text):
        if alias in shared:
            numbers[name] = shared[alias]
    column = list(ARCHITECTURES).index(machine)
    ours = {name: row[column] for name, row in NUMBERS.items()}
    assert ours == {name: numbers.get(name) for name in NUMBERS}


def test_an_unknown_machine_is_refused_with_a_sentence() -> None:
    with pytest.raises(UnsupportedMachine, match="x86_64 and aarch64, not of 'riscv64'"):
        assemble("riscv64")
