"""The layers put on in order: once for the zygote, then for each worker. Knows no processes but its own."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import sys
from collections.abc import Iterator

from sandbox import packages, syscalls
from sandbox.channel import Load
from sandbox.layers import Layer, Refused, landlock, namespaces, rlimits, seccomp, uid
from sandbox.messages import Config

RULES = 5  # the descriptor under which a waiting worker holds Landlock's rules


@contextlib.contextmanager
def _refusal(layer: Layer) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE):
            raise  # the machine's trouble of the moment: no reason to go on without the layer
        raise Refused(layer, error) from error


class Box:
    """What a zygote's workers are locked into."""

    def __init__(self, config: Config) -> None:
        self.layers = config.layers
        self.proc = -1  # the host's /proc, held open from before the private root
        self._known = config.packages
        # The interpreter, the packages, and where submitted folders are copied to without a private root.
        self._needed = [os.__file__, *config.packages.allowed, *filter(None, [config.temporary])]
        self._first_uid = 0
        self._files_as: int | None = None
        self._rules = -1
        self._filter: seccomp.Program | None = None
        self._data = self._size = self._tasks = 0

    # Once, for the zygote

    def leave_host(self) -> None:
        """In the guard: the next child is pid 1 of a new pid namespace."""
        if sys.platform == "linux":
            self.proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        if Layer.UID in self.layers:
            with _refusal(Layer.UID):
                self._first_uid = uid.own_range(os.getpid())
        if Layer.NAMESPACES in self.layers:
            with _refusal(Layer.NAMESPACES):
                namespaces.leave_host(self._first_uid if Layer.UID in self.layers else None)
            self._first_uid = 1  # as the new user namespace counts them

    def build_root(self) -> None:
        """In the zygote: a private root, or without one a way to still read the interpreter."""
        if Layer.NAMESPACES in self.layers:
            with _refusal(Layer.NAMESPACES):
                namespaces.build_root(self._known)
                namespaces.forbid_shared_memory(self.proc)
        elif Layer.UID in self.layers and uid.blind_without(self._first_uid, self._needed):
            if Layer.LANDLOCK not in self.layers:
                why = "other users cannot read what is needed, and opening files as root is only safe with Landlock"
                raise Refused(Layer.UID, PermissionError(errno.EACCES, why))
            self._files_as = os.stat(os.__file__).st_uid

    def finish(self) -> None:
        """In the zygote, with every module loaded: what workers need ready-made."""
        if Layer.LANDLOCK in self.layers:
            with _refusal(Layer.LANDLOCK):
                self._rules = landlock.make_ruleset(self._readable(), self._writable())
        if Layer.SECCOMP in self.layers:
            try:
                self._filter = seccomp.assemble(platform.machine())
            except seccomp.UnsupportedMachine as unsupported:
                raise Refused(Layer.SECCOMP, OSError(errno.ENOSYS, str(unsupported))) from None
        if sys.platform != "linux":
            return
        syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)  # nobody of the same user may look into the zygote
        self._data, self._size = self._mapped()
        if not self.layers & {Layer.NAMESPACES, Layer.UID}:
            self._tasks = rlimits.tasks_of_this_user()

    # For each worker

    def enter(self, slot: int) -> None:
        """The layers that do not depend on the file, in order."""
        if Layer.UID in self.layers:
            with _refusal(Layer.UID):
                uid.enter(self._first_uid + slot, self._files_as)
        if sys.platform == "linux":
            uid.die_with_parent()
        if Layer.NAMESPACES in self.layers:
            with _refusal(Layer.NAMESPACES):
                namespaces.enter(self.proc)
        if sys.platform == "linux":
            uid.forget_bounding_set()

    def hold_rules(self) -> int:
        """Put Landlock's rules where they survive the closing of descriptors; returns the first to close."""
        if self._rules < 0:
            return RULES
        os.dup2(self._rules, RULES)
        return RULES + 1

    def open_folder(self, load: Load) -> None:
        """Let the worker read the folder it came with."""
        if Layer.NAMESPACES in self.layers:
            namespaces.place_submission(load.files)
        elif Layer.LANDLOCK in self.layers:
            rules = landlock.make_ruleset([*self._readable(), load.folder], self._writable())
            os.dup2(rules, RULES)
            os.close(rules)

    def lock(self, load: Load) -> None:
        """The rest of the layers, in order; nothing of ours needs a power after this."""
        if Layer.NAMESPACES in self.layers:
            namespaces.resize_scratch(load.scratch)
        if Layer.RLIMITS in self.layers:
            with _refusal(Layer.RLIMITS):
                rlimits.enter(load, self._data, self._size, self._tasks)
        if sys.platform == "linux":
            syscalls.set_capabilities(0)
            syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
            syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
        if Layer.LANDLOCK in self.layers:
            with _refusal(Layer.LANDLOCK):
                landlock.enter(RULES)
        if self._rules >= 0:
            os.close(RULES)
        if self._filter is not None:
            with _refusal(Layer.SECCOMP):
                syscalls.seccomp_filter(self._filter.for_pid(os.getpid()))

    # What the layers are told

    def _readable(self) -> list[str]:
        known = self._known
        if Layer.NAMESPACES in self.layers:
            return [*known.library, *known.system, *known.allowed, *namespaces.STATIC]
        # Without a private root nothing can be hidden, so the library is allowed piece by piece.
        pieces = [entry for place in known.library for entry in packages.library_entries(place)]
        return [*pieces, *known.system, *known.allowed]

    def _writable(self) -> list[str]:
        return [os.devnull, *(["/scratch"] if Layer.NAMESPACES in self.layers else [])]

    def _mapped(self) -> tuple[int, int]:
        """The bytes of data and of address space this process maps."""
        with open(os.open("self/status", os.O_RDONLY, dir_fd=self.proc), encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return int(fields["VmData"].split()[0]) * 1024, int(fields["VmSize"].split()[0]) * 1024
