"""How the layers fare on this machine, in words: what each is for, what is missing, what to do about it."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable

import msgspec

from sandbox.layers import Layer

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


ADVICE = {
    Layer.UID: "run as an ordinary user, or as a root that may change its user id (CAP_SETUID)",
    Layer.NAMESPACES: (
        "allow user namespaces: sysctl user.max_user_namespaces=10000, kernel.unprivileged_userns_clone=1 (Debian), "
        "kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a container: --security-opt seccomp=unconfined"
    ),
    Layer.RLIMITS: "raise the hard limits of this shell (ulimit -H)",
    Layer.LANDLOCK: "Linux 5.13 or later with landlock in its lsm= list; in a container: allow its system calls",
    Layer.SECCOMP: "a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64",
}


def possible(wanted: Collection[Layer], platform: str, *, root: bool) -> dict[Layer, LayerReport]:
    """What can be said before trying: ACTIVE stands for "worth a try"."""
    lines = {}
    for layer in Layer:
        line = LayerReport(layer, LayerState.ACTIVE)
        if layer not in wanted:
            line = LayerReport(layer, LayerState.OFF, "switched off")
        elif layer is Layer.UID and not root:
            line = LayerReport(layer, LayerState.UNNEEDED, "not root: there are no powers to give up")
        elif platform != "linux" and layer is not Layer.RLIMITS:
            line = LayerReport(
                layer, LayerState.MISSING, f"{platform} has no such thing", "use Linux, or a virtual machine"
            )
        lines[layer] = line
    return lines


def caveat(layer: Layer, active: frozenset[Layer]) -> str:
    if layer is Layer.RLIMITS and not active & {Layer.NAMESPACES, Layer.UID}:
        return "the limit on threads is approximate: without a user of its own it counts all that this user runs"
    if layer is Layer.LANDLOCK and Layer.NAMESPACES not in active:
        return "without a private root: file names and sizes can be seen, and there is no scratch to write to"
    return ""


def explain_missing(missing: str, report: Iterable[LayerReport]) -> str:
    lines = [f"This machine may not run strangers' code: it lacks {missing}."]
    lines += [
        f"  {line.layer}: {line.state}{': ' + line.why if line.why else ''}{'. ' + line.advice if line.advice else ''}"
        for line in report
        if line.state in (LayerState.MISSING, LayerState.REFUSED, LayerState.OFF)
    ]
    lines.append(
        "Mend that (`referee doctor` shows the whole picture), or run files you trust with --accept-missing-layers."
    )
    return "\n".join(lines)


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
