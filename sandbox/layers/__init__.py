"""The layers of the box: few, named, in the order they are put on, each with its reason.

`uid` and `namespaces` are put on while a worker waits for its file; `rlimits`, `landlock` and `seccomp`
once it has it. Every layer but these five is hygiene that is always done (descriptors, capabilities).
"""

from __future__ import annotations

import enum
import errno

import msgspec


class Layer(enum.StrEnum):
    UID = "uid"
    NAMESPACES = "namespaces"
    RLIMITS = "rlimits"
    LANDLOCK = "landlock"
    SECCOMP = "seccomp"


ALL_LAYERS = frozenset(Layer)

PURPOSE = {
    Layer.UID: "a user of its own for each worker, so that root's powers and other workers are out of reach",
    Layer.NAMESPACES: "a root, processes, network and users of its own; killing its init leaves no survivor",
    Layer.RLIMITS: "bounds on memory, threads, descriptors and file sizes",
    Layer.LANDLOCK: "files: read the interpreter and allowed packages, write scratch, nothing else",
    Layer.SECCOMP: "a short list of system calls; no sockets, no new processes, no exec",
}


class LayerState(enum.StrEnum):
    ACTIVE = "active"
    OFF = "off"  # switched off by the caller
    MISSING = "missing"  # this system has no such thing
    REFUSED = "refused"  # the kernel has it and said no
    UNNEEDED = "not needed"  # there is nothing for it to do here


class LayerReport(msgspec.Struct, frozen=True):
    """How one layer fares on this machine."""

    layer: Layer
    state: LayerState
    why: str = ""
    advice: str = ""


class Refused(Exception):
    """A layer could not be put on."""

    def __init__(self, layer: Layer, error: OSError) -> None:
        super().__init__(f"{layer}: {error}")
        self.layer = layer
        self.why = error.strerror or str(error)
        missing = error.errno in (errno.ENOSYS, errno.EOPNOTSUPP)
        self.state = LayerState.MISSING if missing else LayerState.REFUSED


def shortfall(active: frozenset[Layer], *, root: bool) -> str:
    """What is missing from the minimum for running strangers' code; empty when nothing is.

    The minimum: rlimits, seccomp, one of namespaces and Landlock (both know of files), and for root a
    uid of each worker's own (the kernel exempts root from the limit on threads).
    """
    lacking = [layer.value for layer in (Layer.RLIMITS, Layer.SECCOMP) if layer not in active]
    if not active & {Layer.NAMESPACES, Layer.LANDLOCK}:
        lacking.append("namespaces or landlock")
    if root and Layer.UID not in active:
        lacking.append("uid")
    return ", ".join(lacking)
