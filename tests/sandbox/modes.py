"""`python -m tests.sandbox.modes MODE COMMAND...`: run a command as on a machine that gives us less.

MODE is a comma-separated list of
    user            as an ordinary user (when run by root; else this changes nothing)
    no-namespaces   with user namespaces forbidden, as in plain containers and on hosted graders
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sandbox import syscalls

NOBODY = 65534


def forbid_user_namespaces() -> None:
    """In a new user namespace, which may have no further ones; users keep their numbers."""
    uid, gid = os.getuid(), os.getgid()
    if uid:
        syscalls.unshare(syscalls.CLONE_NEWUSER)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    else:  # many lines of a map can only be written from outside
        go, tell = os.pipe()
        child = os.fork()
        if child == 0:
            os.read(go, 1)
            for kind in ("uid", "gid"):
                Path(f"/proc/{os.getppid()}/{kind}_map").write_text("0 0 65536")
            os._exit(0)
        syscalls.unshare(syscalls.CLONE_NEWUSER)
        os.write(tell, b"!")
        os.waitpid(child, 0)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def open_closed_directories() -> None:
    """Let everybody read this Python and this repository, wherever they are; seen by this process only."""
    syscalls.unshare(syscalls.CLONE_NEWNS)
    syscalls.mount(None, "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    needed = {sys.prefix, sys.base_prefix, str(Path(__file__).parents[2])}
    for closed in sorted({str(top) for path in needed for top in _closed(Path(path).resolve())}):
        inside = [path for path in needed if path.startswith(closed + "/")]
        held = {path: os.open(path, os.O_PATH) for path in inside}
        syscalls.mount("open", closed, "tmpfs", 0, "mode=755")
        for path, descriptor in held.items():
            os.makedirs(path, exist_ok=True)
            syscalls.mount(f"/proc/self/fd/{descriptor}", path, None, syscalls.MS_BIND | syscalls.MS_REC)
            os.close(descriptor)


def become_nobody() -> None:
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _closed(path: Path) -> list[Path]:
    """The outermost directory on the way that others may not enter."""
    return [top for top in reversed(path.parents) if not top.stat().st_mode & 0o001][:1]


def main() -> None:
    modes = sys.argv[1].split(",")
    drop = "user" in modes and os.getuid() == 0
    if drop:
        open_closed_directories()
    if "no-namespaces" in modes:
        forbid_user_namespaces()
    if drop:
        become_nobody()
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])


if __name__ == "__main__":
    main()
