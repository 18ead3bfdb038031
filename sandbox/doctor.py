"""May this machine run strangers' code? Finds out by doing it: a real zygote, a real worker, real tries."""

from __future__ import annotations

import os
import platform
import sys

import msgspec
import psutil

from sandbox.errors import BoxError
from sandbox.layers import Layer
from sandbox.layers.report import PURPOSE, LayerReport, LayerState, shortfall
from sandbox.limits import Budget
from sandbox.submission import Submission
from sandbox.verdicts import Misconduct
from sandbox.zygote import Zygote

# What a worker with every layer must not be able to do; each try says what it got away with.
_PATIENT = b"""
import os, socket

def escapes(secret):
    found = []
    for what, attempt in {
        "read a file of the host": lambda: open(secret).read(),
        "write to the root": lambda: open("/doctor", "w"),
        "make a socket": lambda: socket.socket(),
        "start a process": lambda: os.fork() or os._exit(0),
        "signal its parent": lambda: os.kill(os.getppid() or 1, 0),
    }.items():
        try:
            attempt()
        except OSError:
            continue
        found.append(what)
    return found
"""


class LayerFinding(msgspec.Struct, frozen=True):
    layer: str
    purpose: str
    state: str
    why: str
    advice: str


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    system: str
    kernel: str
    machine: str
    python: str
    cores: int
    memory: int  # bytes
    user: str
    layers: list[LayerFinding]
    escapes: list[str]  # what a worker could do that it should not
    problem: str  # why no worker could be made at all; usually empty
    fit: bool
    verdict: str


def examine() -> Diagnosis:
    report: tuple[LayerReport, ...] = ()
    escapes: list[str] = []
    problem = ""
    try:
        with Zygote(accept_missing_layers=True) as zygote:
            report = zygote.report
            escapes = _try_to_escape(zygote)
    except (BoxError, Misconduct) as error:
        problem = str(error)
    active = frozenset(line.layer for line in report if line.state == LayerState.ACTIVE)
    lacking = shortfall(active, root=os.name == "posix" and os.geteuid() == 0)
    fit = not (lacking or escapes or problem)
    return Diagnosis(
        system=platform.system(),
        kernel=platform.release(),
        machine=platform.machine(),
        python=platform.python_version(),
        cores=len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1,
        memory=psutil.virtual_memory().total,
        user="root" if hasattr(os, "geteuid") and os.geteuid() == 0 else "an ordinary user",
        layers=[
            LayerFinding(line.layer.value, PURPOSE[line.layer], line.state.value, line.why, line.advice)
            for line in report
        ],
        escapes=escapes,
        problem=problem,
        fit=fit,
        verdict=_verdict(fit, lacking, escapes, problem, active),
    )


def _try_to_escape(zygote: Zygote) -> list[str]:
    patient = Submission(name="doctor", entry="doctor.py", files={"doctor.py": _PATIENT}, is_folder=False, sha256="")
    with zygote.spawn(patient) as worker:
        return worker.call("escapes", "/etc/passwd", budget=Budget(cpu=1.0), reply=list[str])


def _verdict(fit: bool, lacking: str, escapes: list[str], problem: str, active: frozenset[Layer]) -> str:
    if problem:
        return f"This machine may not run strangers' code: {problem}"
    if lacking:
        return (
            f"This machine may not run strangers' code: it lacks {lacking}. "
            "Files you trust can be run with --accept-missing-layers."
        )
    if escapes:
        return f"This machine may not run strangers' code: a worker could {', '.join(escapes)}."
    if Layer.NAMESPACES not in active or Layer.LANDLOCK not in active:
        return "This machine may run strangers' code, with a layer less than the best (see above)."
    return "This machine may run strangers' code: every layer is active."
