"""`python -m tests.grading.container [--no-landlock] COMMAND...`: run a command, as root, as a hosted grader would.

What there is of such a container: half a core and 768 MB for all processes together (a control group; without
one that may be written to, this says so and goes on), no network, no user namespaces, and the few capabilities
that Docker leaves to root. What there is not: an image of its own. The command sees the files of this machine.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sandbox import syscalls
from sandbox.layers.bpf import Answer, Listing
from tests.sandbox.modes import forbid_user_namespaces

MEMORY = 768 << 20
_PERIOD = 100_000  # microseconds
_HIERARCHIES = Path("/sys/fs/cgroup")
# Of control groups there are two versions: a hierarchy for each controller, or one for all.
_SEPARATE = {"cpu": {"cpu.cfs_quota_us": str(_PERIOD // 2)}, "memory": {"memory.limit_in_bytes": str(MEMORY)}}
_UNIFIED = {"cpu.max": f"{_PERIOD // 2} {_PERIOD}", "memory.max": str(MEMORY)}
# linux/capability.h: CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP, NET_BIND_SERVICE,
# NET_RAW, SYS_CHROOT, MKNOD, AUDIT_WRITE, SETFCAP
_DOCKERS = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}
_LAST_CAPABILITY = 63  # that a kernel could have a bit for
_LANDLOCK = (444, 447)  # its system calls, and the first after them


@contextlib.contextmanager
def limited() -> Iterator[list[Path]]:
    """Control groups with the limits, below those we are in; fewer where they cannot be made."""
    made: list[Path] = []
    try:
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if (_HIERARCHIES / "cgroup.controllers").exists():
                made += _group(Path(f"{_HIERARCHIES}{path}"), _UNIFIED)
            for controller in set(controllers.split(",")) & {*_SEPARATE}:
                made += _group(Path(f"{_HIERARCHIES / controllers}{path}"), _SEPARATE[controller])
        yield made
    finally:
        for group in made:
            _end(group)


def _end(group: Path) -> None:
    """With the command a container ends, and whatever is still in it."""
    for _ in range(1_000):
        inside = (group / "cgroup.procs").read_text().split()
        if not inside:
            break
        for pid in inside:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.01)  # a group tells nobody that it is empty
    group.rmdir()


def _group(parent: Path, limits: dict[str, str]) -> list[Path]:
    try:
        group = Path(tempfile.mkdtemp(prefix="container-", dir=parent))
        try:
            for name, value in limits.items():
                (group / name).write_text(value)
        except OSError:  # in a unified hierarchy: nothing is handed down by a group that has processes itself
            group.rmdir()
            raise
    except OSError as error:
        print(f"container: {', '.join(limits)} cannot be set here: {error}", file=sys.stderr)
        return []
    return [group]


def enter(groups: list[Path], landlock: bool) -> None:
    for group in groups:
        (group / "cgroup.procs").write_text(str(os.getpid()))
    syscalls.unshare(syscalls.CLONE_NEWNET)
    forbid_user_namespaces()
    if not landlock:
        _refuse_landlock()
    for capability in range(_LAST_CAPABILITY + 1):
        if capability not in _DOCKERS:
            syscalls.drop_bounding_capability(capability)


def _refuse_landlock() -> None:
    """As older container runtimes do, which know nothing of it."""
    code = Listing()
    code.load_number()
    code.if_at_least(_LANDLOCK[1], then=Answer.ALLOW)
    code.if_at_least(_LANDLOCK[0], then=Answer.ENOSYS)
    code.answer(Answer.ALLOW)
    syscalls.seccomp_filter(code.link().code)


def main() -> None:
    landlock = sys.argv[1] != "--no-landlock"
    command = sys.argv[1 if landlock else 2 :]
    with limited() as groups:
        # The limits are for what is inside alone, and the groups can only be removed from outside.
        done = subprocess.run(command, preexec_fn=lambda: enter(groups, landlock), check=False)
    sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)  # as shells have it


if __name__ == "__main__":
    main()
