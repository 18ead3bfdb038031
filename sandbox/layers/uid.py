"""For root: a user of its own for each worker, and no capabilities.

RLIMIT_NPROC does nothing for root, and root owns most files. Numbers are taken from a range no
distribution hands out, so a worker shares its user with no process of the machine.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable

from sandbox import syscalls

SLOTS = 256  # workers of one zygote that can have users of their own at the same time
_RANGES = ((1_879_048_192, 1 << 28), (60_000, 5_000))  # unused by systemd's allotment; what isolate uses


def own_range(pid: int) -> int:
    """The first of SLOTS host uids for the zygote with this host pid."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        mapped = [tuple(map(int, line.split())) for line in file]
    for first, size in _RANGES:
        if any(inside <= first and first + size <= inside + count for inside, _, count in mapped):
            return first + pid % (size // SLOTS) * SLOTS
    raise PermissionError(1, "no user ids to spare in this container's map")


def enter(uid: int, files_as: int | None) -> None:
    """Become `uid`. With `files_as`, files are still opened as that user (see `blind_without`)."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    if files_as is None:
        os.setresuid(uid, uid, uid)
        return
    syscalls.prctl(syscalls.PR_SET_KEEPCAPS, 1)
    os.setresuid(uid, uid, uid)
    cap_setuid, cap_setgid = 7, 6  # linux/capability.h
    syscalls.set_capabilities(1 << cap_setuid | 1 << cap_setgid)
    syscalls.setfsuid(files_as, files_as)


def blind_without(uid: int, paths: Iterable[str]) -> bool:
    """Whether `uid` cannot get at one of `paths`: they may lie under a home that only root may enter.

    Then late imports would fail inside as "no module named ...". The way out, where there is no private
    root, is to open files as the interpreter's owner - which only Landlock makes safe.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            code = not all(os.access(path, os.F_OK) for path in paths)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def forget_bounding_set() -> None:
    """No capability can be gained by executing anything; those held are given up with the last layers."""
    for capability in range(64):
        if not syscalls.drop_bounding_capability(capability):
            break
    syscalls.prctl(syscalls.PR_CAP_AMBIENT, syscalls.PR_CAP_AMBIENT_CLEAR_ALL)


def die_with_parent() -> None:
    """A change of uid clears this, so it comes after."""
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
