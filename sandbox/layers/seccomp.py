"""What a stranger's process may ask of the kernel: the seccomp allow-list, as a classic BPF program.

No library: libseccomp's Python bindings need a system library that pip cannot bring, pip's pyseccomp is a
wrapper of the same library, and the policy is small enough to be audited here. Nothing in this file makes a
system call; assembling is pure and worth doing once, since only the worker's pid differs between programs.

What the policy does not name answers EPERM. Nothing is ever killed: a library that probes for a call must be
able to go on without it.
"""

from __future__ import annotations

from collections.abc import Callable

from sandbox.layers.bpf import Answer, Listing, Program, Target
from sandbox.layers.syscall_numbers import HIGHEST, NUMBERS

__all__ = ["MACHINES", "POLICY", "Program", "UnsupportedMachine", "assemble"]

# asm-generic/fcntl.h, linux/fcntl.h; the same on both machines, unlike O_DIRECT or O_NOFOLLOW.
O_RDONLY, O_ACCMODE, O_TRUNC, O_NONBLOCK, O_CLOEXEC = 0o0, 0o3, 0o1000, 0o4000, 0o2000000
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ = 0, 1, 2, 3, 4, 1030, 1032
CLOSE_RANGE_CLOEXEC = 1 << 2  # linux/close_range.h
# asm-generic/mman.h, mman-common.h
MAP_SHARED, MAP_ANONYMOUS, MAP_GROWSDOWN, MAP_LOCKED, MAP_HUGETLB = 0x01, 0x20, 0x0100, 0x2000, 0x40000
MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE = 0, 1, 2, 3, 4, 8
MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP = 14, 15, 16, 17
MADV_GUARD_INSTALL, MADV_GUARD_REMOVE = 102, 103  # glibc 2.42 guards the stacks of threads with it
MADV_HARMLESS = (
    *(MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE),
    *(MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP, MADV_GUARD_INSTALL, MADV_GUARD_REMOVE),
)
# linux/sched.h
CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD = 0x100, 0x200, 0x400, 0x800, 0x10000
CLONE_SYSVSEM, CLONE_SETTLS, CLONE_PARENT_SETTID, CLONE_CHILD_CLEARTID = 0x40000, 0x80000, 0x100000, 0x200000
CLONE_DETACHED = 0x400000  # ignored by the kernel, set by musl
# linux/futex.h
FUTEX_WAIT, FUTEX_WAKE, FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP = 0, 1, 3, 4, 5
FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET, FUTEX_PRIVATE_FLAG, FUTEX_CLOCK_REALTIME = 9, 10, 128, 256
FUTEX_PLAIN = (
    *(FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET),
    *(FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP),
)
# Across processes only waiting, which pthread_join does: whoever can wake another process, on a page of a library
# that both have mapped, has a channel to it.
FUTEX_ALLOWED = (FUTEX_WAIT, FUTEX_WAIT_BITSET, *(operation | FUTEX_PRIVATE_FLAG for operation in FUTEX_PLAIN))
TCGETS, TCGETS2, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = 0x5401, 0x802C542A, 0x541B, 0x5421, 0x5450, 0x5451
PR_SET_NAME, PR_GET_NAME = 15, 16  # linux/prctl.h
SIGCONT = 18  # asm-generic/signal.h
MAX_CLOCKS = 16  # linux/time.h
WORD = 0xFFFFFFFF

Rule = Callable[[Listing], None]


# An argument is 64 bits wide and a program sees it as two words. Where the kernel declares int, unsigned int
# or pid_t it drops the high word before it looks: the low one is the whole truth. (A C compiler may leave
# anything in the high word then, so demanding zero there would refuse sound calls.)
def one_of(argument: int, *values: int, ignoring: int = 0, otherwise: Answer = Answer.EPERM) -> Rule:
    """The low word of the argument, without the ignored bits, is one of the values."""

    def write(code: Listing) -> None:
        code.load_low(argument)
        if ignoring:
            code.keep_bits(WORD & ~ignoring)
        for value in values:
            code.if_equal(value, then=Answer.ALLOW)
        code.answer(otherwise)

    return write


def no_bits_but(argument: int, bits: int) -> Rule:
    """The low word of the argument has no bits outside these."""

    def write(code: Listing) -> None:
        code.load_low(argument)
        code.if_any_bit(WORD & ~bits, then=Answer.EPERM)
        code.answer(Answer.ALLOW)

    return write


def itself_but_thaw(signal_argument: int) -> Rule:
    """A signal to its own process. Not SIGCONT: sent all the time by a thread, it takes back the freeze."""

    def write(code: Listing) -> None:
        code.load_low(0)  # pid_t
        code.if_own_pid(otherwise=Answer.EPERM)
        code.load_low(signal_argument)  # int
        code.if_equal(SIGCONT, then=Answer.EPERM)
        code.answer(Answer.ALLOW)

    return write


def own_pid_or_zero(code: Listing) -> None:
    code.load_low(0)  # pid_t
    code.if_equal(0, then=Answer.ALLOW)
    code.if_own_pid(then=Answer.ALLOW)
    code.answer(Answer.EPERM)


def read_own_limits(code: Listing) -> None:
    """prlimit64(pid, resource, new_limit, old_limit): itself, and new_limit is NULL."""
    code.load_low(0)  # pid_t
    code.if_equal(0, then="own limits")
    code.if_own_pid(otherwise=Answer.EPERM)
    code.label("own limits")
    code.load_low(2)  # a pointer: NULL in both words
    code.if_equal(0, otherwise=Answer.EPERM)
    code.load_high(2)
    code.if_equal(0, otherwise=Answer.EPERM)
    code.answer(Answer.ALLOW)


def own_clocks(code: Listing) -> None:
    """Negative ids are made of a pid: without a pid namespace they read how long a rival thinks."""
    code.load_low(0)  # clockid_t, an int
    code.if_at_least(MAX_CLOCKS, then=Answer.EPERM)
    code.answer(Answer.ALLOW)


def open_flags(argument: int) -> Rule:
    """Landlock asks what the access mode will allow, and before ABI 3 knows nothing of truncation. So two
    ways to empty a file pass it: O_RDONLY|O_TRUNC, and mode 3, which opens for neither reading nor writing.
    """

    def write(code: Listing) -> None:
        code.load_low(argument)  # int
        code.keep_bits(O_ACCMODE | O_TRUNC)
        code.if_equal(O_RDONLY | O_TRUNC, then=Answer.EPERM)
        code.keep_bits(O_ACCMODE)
        code.if_equal(O_ACCMODE, then=Answer.EPERM)
        code.answer(Answer.ALLOW)

    return write


def counted_memory(code: Listing) -> None:
    """Shared anonymous and GROWSDOWN memory escape RLIMIT_DATA; huge pages are the host's common pool."""
    # unsigned long, but the refused bits are all in the low word and no bit of the high one undoes them.
    code.load_low(3)
    code.if_any_bit(MAP_GROWSDOWN | MAP_LOCKED | MAP_HUGETLB, then=Answer.ENOMEM)
    # MAP_SHARED_VALIDATE is 3 and has MAP_SHARED's bit; MAP_PRIVATE (2) and MAP_DROPPABLE (8) have not.
    code.keep_bits(MAP_SHARED | MAP_ANONYMOUS)
    code.if_equal(MAP_SHARED | MAP_ANONYMOUS, then=Answer.ENOMEM)
    code.answer(Answer.ALLOW)


def a_thread(code: Listing) -> None:
    """Every thread shares memory, descriptors and signals, so the process's limits count them all."""
    required = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD
    optional = CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_DETACHED
    code.load_high(0)  # unsigned long: clone3's own flags would be here
    code.if_equal(0, otherwise=Answer.EPERM)
    code.load_low(0)
    code.keep_bits(WORD & ~optional)
    code.if_equal(required, then=Answer.ALLOW)
    code.answer(Answer.EPERM)


POLICY: tuple[tuple[str, Answer | Rule], ...] = (
    ("read write readv writev pread64 pwrite64 lseek close dup dup2 dup3 pipe", Answer.ALLOW),
    ("poll ppoll select pselect6", Answer.ALLOW),
    ("stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat", Answer.ALLOW),
    # Landlock does not govern chdir, but it tells no more than stat does, and students write
    # os.chdir(os.path.dirname(__file__)).
    ("getdents64 getcwd chdir fchdir statfs fstatfs umask", Answer.ALLOW),
    # Not renameat2: no libc needs it on these machines, and RENAME_WHITEOUT makes a device node.
    ("mkdir mkdirat rmdir unlink unlinkat rename renameat ftruncate", Answer.ALLOW),
    ("munmap mremap mprotect brk", Answer.ALLOW),
    ("rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait sigaltstack", Answer.ALLOW),
    ("pause alarm getitimer setitimer nanosleep gettimeofday time times getrusage", Answer.ALLOW),
    # For threads: rseq refused makes glibc abort. Not membarrier, which interrupts the other cores and which
    # nothing here needs; not set_tid_address and arch_prctl, which belong to a process's start.
    ("set_robust_list rseq gettid sched_yield getcpu exit exit_group restart_syscall", Answer.ALLOW),
    ("getpid getppid getpgrp getuid geteuid getgid getegid getresuid getresgid getgroups", Answer.ALLOW),
    # sched_getaffinity takes any pid, but pthread_getattr_np passes it thread ids, which no filter can know.
    # sysinfo serves glibc's qsort.
    ("sched_getaffinity sysinfo uname getrandom getrlimit", Answer.ALLOW),
    # Scratch is a tmpfs, where these do nothing. On the interpreter's own files, which are on the host's
    # disk, they would make the host write out its journal as often as a stranger likes.
    ("fsync fdatasync msync", Answer.DONE),
    # Their arguments lie in memory, out of a filter's sight; glibc falls back to clone and openat.
    ("clone3 openat2", Answer.ENOSYS),
    ("open", open_flags(1)),
    ("openat", open_flags(2)),
    ("mmap", counted_memory),
    ("clone", a_thread),
    ("kill", itself_but_thaw(1)),
    ("tgkill", itself_but_thaw(2)),  # not tkill, which names a thread without its process
    ("getpgid getsid", own_pid_or_zero),
    ("prlimit64", read_own_limits),
    ("clock_gettime clock_getres clock_nanosleep", own_clocks),
    # Not O_NOTIFICATION_PIPE, a kernel facility of its own.
    ("pipe2", no_bits_but(1, O_CLOEXEC | O_NONBLOCK)),
    # Not CLOSE_RANGE_UNSHARE, which gives a thread its own descriptors and so a RLIMIT_NOFILE of its own.
    ("close_range", no_bits_but(2, CLOSE_RANGE_CLOEXEC)),
    # No locks, leases, owners or seals.
    ("fcntl", one_of(1, F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ)),
    # TCGETS2 is the isatty of glibc 2.42. No terminal can be written to or taken over (TIOCSTI).
    ("ioctl", one_of(1, TCGETS, TCGETS2, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX)),
    # Not PR_SET_VMA: glibc names its memory only when a tunable asks for it, and ignores the failure.
    ("prctl", one_of(0, PR_SET_NAME, PR_GET_NAME)),
    # What glibc, NumPy and Python's mmap ask for. Not MERGEABLE (compares pages with other processes'),
    # PAGEOUT and COLD (swap), REMOVE, POPULATE, COLLAPSE, HWPOISON, nor those about forks.
    ("madvise", one_of(2, *MADV_HARMLESS)),
    # Not the priority-inheriting ones, long a way into the kernel; where they are missing glibc says ENOTSUP.
    ("futex", one_of(1, *FUTEX_ALLOWED, ignoring=FUTEX_CLOCK_REALTIME, otherwise=Answer.ENOSYS)),
)

# linux/audit.h: AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64; and the column of NUMBERS
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}


class UnsupportedMachine(ValueError):
    """There is no table of system call numbers for this machine."""


def assemble(machine: str) -> Program:
    """The filter for `platform.machine()`; patch in the worker's pid with `Program.for_pid`."""
    if machine not in MACHINES:
        raise UnsupportedMachine(
            f"the seccomp layer knows the system calls of {' and '.join(MACHINES)}, not of {machine!r}: "
            "use such a machine, or accept that this layer is missing"
        )
    architecture, column = MACHINES[machine]
    fates: dict[int, Target] = {}
    rules: dict[str, Rule] = {}
    for names, fate in POLICY:
        for name in names.split():
            number = NUMBERS[name][column]
            if number is None:
                continue
            if isinstance(fate, Answer):
                fates[number] = fate
            else:
                fates[number] = names
                rules[names] = fate

    code = Listing()
    code.load_architecture()
    code.if_equal(architecture, otherwise=Answer.ENOSYS)  # 32-bit calls are open to any program: int 0x80
    code.load_number()
    _search(code, _intervals(fates))
    for names, rule in rules.items():
        code.label(names)
        rule(code)
    return code.link()


def _intervals(fates: dict[int, Target]) -> list[tuple[int, Target]]:
    """The first number of each run of numbers that share a fate, and that fate."""
    intervals: list[tuple[int, Target]] = []
    for number in range(HIGHEST + 1):
        fate = fates.get(number, Answer.EPERM)
        if not intervals or intervals[-1][1] != fate:
            intervals.append((number, fate))
    # Newer than the table; the x32 ABI too, whose numbers have bit 30 set (__X32_SYSCALL_BIT).
    return [*intervals, (HIGHEST + 1, Answer.ENOSYS)]


def _search(code: Listing, intervals: list[tuple[int, Target]]) -> None:
    """Find the interval of the loaded number by halving.

    At installation the kernel runs the program for every number, to learn which are always allowed; a chain
    of comparisons would make that slow.
    """
    middle = len(intervals) // 2
    halves = intervals[:middle], intervals[middle:]
    below, above = (half[0][1] if len(half) == 1 else f"{half[0][0]} to {half[-1][0]}" for half in halves)
    code.if_at_least(intervals[middle][0], then=above, otherwise=below)
    for half, name in zip(halves, (below, above), strict=True):
        if len(half) > 1:
            code.label(str(name))
            _search(code, half)
