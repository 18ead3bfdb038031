"""Bounds on memory, threads, descriptors and file sizes, by setrlimit.

Memory needs two limits. RLIMIT_DATA counts private writable memory when it is mapped, which is what a
student means by memory; but it does not see shared or grow-down mappings and page tables. RLIMIT_AS sees
all, but also what is only reserved (thread arenas, NumPy), so it stands a gibibyte higher.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys

from sandbox.channel import Load
from sandbox.limits import GiB, MiB

THREAD_STACK = 2 * MiB  # set in the zygote: at the usual 8 MiB, 32 threads would fill the default memory limit
_MAIN_STACK = 8 * MiB


def enter(load: Load, zygote_data: int, zygote_size: int, other_tasks: int) -> None:
    """`zygote_data` and `zygote_size` are what the zygote itself maps: a worker starts with as much.

    `other_tasks` is what else counts against the limit on threads (see below), and is usually 0.
    """
    limits = {
        resource.RLIMIT_DATA: load.memory + zygote_data,
        resource.RLIMIT_AS: load.memory + zygote_size + GiB,
        resource.RLIMIT_NPROC: load.threads + other_tasks,
        resource.RLIMIT_NOFILE: load.descriptors,
        resource.RLIMIT_FSIZE: load.scratch,
        resource.RLIMIT_STACK: _MAIN_STACK,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    if sys.platform == "linux":
        limits |= {
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_NICE: 0,
            resource.RLIMIT_RTPRIO: 0,
            resource.RLIMIT_SIGPENDING: 256,
        }
    for limit, value in limits.items():
        hard = resource.getrlimit(limit)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))


def tasks_of_this_user() -> int:
    """The kernel counts threads by user: without one of its own, a worker shares with all that this user runs."""
    uid, count = os.getuid(), 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                count += len(os.listdir(f"/proc/{entry.name}/task"))
    return count
