"""A root, processes, network and users of its own.

The zygote builds the private root once and lives in it, as pid 1 of its own pid namespace; net, ipc and
uts namespaces are made once as well, with nothing in them. Each worker gets a user, a mount and a pid
namespace of its own. There is no /proc and no /sys inside.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat

from sandbox import syscalls
from sandbox.layers.uid import SLOTS
from sandbox.limits import Limits
from sandbox.messages import SCRATCH, SUBMISSION
from sandbox.packages import Packages

STATIC = ("/scratch", "/box")  # the parents of what is mounted for each worker
_INSIDE_UID = 1000
_DEFAULT_SCRATCH = Limits().scratch
_INODES = 4096


def leave_host(ids: int | None) -> None:
    """Move this process into new namespaces; its next child is pid 1 there.

    `ids` is the first of the host uids set aside for workers; None for an ordinary user, who has one.
    """
    flags = (
        syscalls.CLONE_NEWUSER
        | syscalls.CLONE_NEWNS
        | syscalls.CLONE_NEWPID
        | syscalls.CLONE_NEWNET
        | syscalls.CLONE_NEWIPC
        | syscalls.CLONE_NEWUTS
    )
    uid, gid = os.getuid(), os.getgid()
    if ids is None:
        syscalls.unshare(flags)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"0 {uid} 1")
        _write("/proc/self/gid_map", f"0 {gid} 1")
        return
    # More than one line may only be written from the parent namespace: by a child that stays behind.
    go, tell = os.pipe()
    writer = os.fork()
    if writer == 0:
        code = 1
        try:
            os.read(go, 1)
            for kind, own in (("uid", uid), ("gid", gid)):
                _write(f"/proc/{os.getppid()}/{kind}_map", f"0 {own} 1\n1 {ids} {SLOTS}")
            code = 0
        finally:
            os._exit(code)
    try:
        syscalls.unshare(flags)
    finally:
        os.write(tell, b"!")
        os.close(go)
        os.close(tell)
        failed = os.waitstatus_to_exitcode(os.waitpid(writer, 0)[1])
    if failed:
        raise PermissionError(1, "writing the user map was refused")


def build_root(known: Packages) -> None:
    """Make a root that holds what is known, read-only at the same paths, and nothing else; move into it."""
    root = _Root("/proc")  # a directory that is always there and that nothing to be bound lies under
    for path in (*known.library, *known.system):
        root.bind(path)
    for path in known.hidden:
        root.hide(path)
    for path in known.allowed:
        root.bind(path)
    for path in (*STATIC, SCRATCH, SUBMISSION):
        os.makedirs(root.place + path, mode=0o755, exist_ok=True)
    os.chdir(root.place)
    syscalls.pivot_root(".", ".")
    syscalls.unmount(".")
    os.chdir("/")
    syscalls.make_read_only("/", syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID)
    socket.sethostname("box")


class _Root:
    """A root in the making, on a file system in memory."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._mounted: dict[str, bool] = {}  # path: whether it shows the host's files
        syscalls.mount(None, "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
        syscalls.mount("root", place, "tmpfs", syscalls.MS_NOSUID, "size=4m,mode=755")

    def hide(self, path: str) -> None:
        """Cover a directory with an empty one."""
        if os.path.isdir(self.place + path):
            flags = syscalls.MS_NOSUID | syscalls.MS_NODEV
            syscalls.mount("hidden", self.place + path, "tmpfs", flags, "size=1m,mode=755")
            self._mounted[path] = False

    def bind(self, path: str) -> None:
        """Show `path` of the host, links on the way as links."""
        done = ""
        parts = [part for part in path.split("/") if part]
        while parts:
            done += "/" + parts.pop(0)
            if self._shows(done):
                continue
            if os.path.islink(done):
                target = os.readlink(done)
                if not os.path.lexists(self.place + done):
                    os.symlink(target, self.place + done)
                joined = os.path.normpath(os.path.join(os.path.dirname(done), target))
                self.bind("/".join([joined, *parts]))
                return
            if parts:
                os.makedirs(self.place + done, mode=0o755, exist_ok=True)
        if not self._shows(done):
            self._mount(done)

    def _shows(self, path: str) -> bool:
        """Whether the innermost mount that `path` lies in shows the host's files."""
        inner = max((at for at in self._mounted if path == at or path.startswith(at + "/")), key=len, default="")
        return self._mounted.get(inner, False)

    def _mount(self, path: str) -> None:
        kind = os.stat(path).st_mode
        target = self.place + path
        if stat.S_ISDIR(kind):
            os.makedirs(target, mode=0o755, exist_ok=True)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        syscalls.mount(path, target, None, syscalls.MS_BIND | syscalls.MS_REC)
        if not stat.S_ISCHR(kind):  # a device must stay one
            flags = syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID | syscalls.MOUNT_ATTR_NODEV
            syscalls.make_read_only(target, flags)
        self._mounted[path] = True


def forbid_shared_memory(proc: int) -> None:
    """No SysV memory, queues or semaphores in the zygote's ipc namespace: a second barrier beside seccomp."""
    for name, value in (("shmall", "0"), ("shmmni", "0"), ("msgmni", "0"), ("sem", "0 0 0 0")):
        with contextlib.suppress(OSError):  # older kernels let only the host's root write these
            _write(f"sys/kernel/{name}", value, proc)


def enter(proc: int) -> None:
    """A worker's own user and mount namespaces, with its scratch; its pid namespace it was born in."""
    uid, gid = os.getuid(), os.getgid()
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)  # after a change of uid its own maps belong to root
    syscalls.unshare(syscalls.CLONE_NEWUSER | syscalls.CLONE_NEWNS)
    _write("self/setgroups", "deny", proc)
    _write("self/uid_map", f"{_INSIDE_UID} {uid} 1", proc)
    _write("self/gid_map", f"{_INSIDE_UID} {gid} 1", proc)
    with contextlib.suppress(OSError):  # a second barrier against nested ones; /proc/sys may be masked
        _write("sys/user/max_user_namespaces", "0", proc)
    _mount_scratch(_DEFAULT_SCRATCH, 0)


def resize_scratch(size: int) -> None:
    if size != _DEFAULT_SCRATCH:
        _mount_scratch(size, syscalls.MS_REMOUNT)


def _mount_scratch(size: int, flags: int) -> None:
    options = f"size={max(size, 4096)},nr_inodes={_INODES if size else 1},mode=700"
    safe = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("scratch", SCRATCH, "tmpfs", safe | flags, options)


def place_submission(files: dict[str, bytes]) -> None:
    """A folder's files, readable inside and nowhere else, gone with the worker."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV
    syscalls.mount("submission", SUBMISSION, "tmpfs", flags, "size=32m,nr_inodes=4096,mode=755")
    for name, content in files.items():
        path = os.path.join(SUBMISSION, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    syscalls.make_read_only(SUBMISSION, syscalls.MOUNT_ATTR_RDONLY)


def _write(path: str, text: str, directory: int | None = None) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC, dir_fd=directory)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
