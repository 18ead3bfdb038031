"""Runs a case in a box with the layers it is given, and says what became of it."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from sandbox import (
    ALL_LAYERS,
    Ending,
    Layer,
    LayerState,
    Misconduct,
    Submission,
    SubmissionError,
    Zygote,
)
from tests.abuse.case import CONTAINED, ESCAPED, QUICK, REFUSED, Case, Stage
from tests.abuse.tail import TAIL
from tests.family import descendants

_zygotes: dict[frozenset[Layer], Zygote] = {}
_at_rest: dict[Zygote, int] = {}  # how many processes each has with no worker but its spare


@dataclass(frozen=True)
class Outcome:
    """What became of it: CONTAINED, REFUSED, ESCAPED, or the verdict's ending."""

    result: str
    detail: str = ""

    def fits(self, case: Case, layers: frozenset[Layer]) -> bool:
        """Whether that is what the table says of the case under these layers."""
        if not expects_stop(case, layers):
            return self.result != Ending.REFEREE_ERROR  # it may succeed, but not spoil the referee
        return self.result in case.accepted or (layers != ALL_LAYERS and self.result in case.otherwise)


def expects_stop(case: Case, layers: frozenset[Layer]) -> bool:
    """Whether some layer that knows of the case is on: with one off, all rows but those only it knows of."""
    on = in_effect(layers)
    return case.needs <= on and (not case.stopped_by or bool(case.stopped_by & on))


def in_effect(layers: frozenset[Layer]) -> frozenset[Layer]:
    """Of these layers, those that this machine has; one that is not needed counts as on."""
    report = zygote(layers).report
    return frozenset(line.layer for line in report if line.state in (LayerState.ACTIVE, LayerState.UNNEEDED))


def zygote(layers: frozenset[Layer]) -> Zygote:
    """The one for this set of layers, started when first asked for."""
    found = _zygotes.get(layers)
    if found is None:
        found = Zygote(layers=layers, accept_missing_layers=True, spares=1)
        _zygotes[layers] = found
        _settle(found)
        _at_rest[found] = len(descendants(found.pid))
    return found


@atexit.register
def close() -> None:
    for started in _zygotes.values():
        started.close()
    _zygotes.clear()
    _at_rest.clear()


def run(case: Case, layers: frozenset[Layer] = ALL_LAYERS) -> Outcome:
    """One case in one fresh worker; the machine is looked over for remains afterwards."""
    stage = Stage(zygote(layers), Path(tempfile.mkdtemp(prefix="abuse-")))
    before = _Remains(stage.zygote)
    try:
        try:
            if case.setup is not None:
                stage.target = case.setup(stage)
            outcome = _face(case, stage)
        finally:
            if stage.worker is not None:
                stage.worker.kill()
            complaint = case.check(stage) if case.check is not None else None
            for neighbour in stage.neighbours:
                neighbour.kill()
        left = before.left_behind()
    except Exception as error:  # nothing a stranger does may raise this: the next case gets a new zygote
        _zygotes.pop(layers).close()
        return Outcome(Ending.REFEREE_ERROR, f"{type(error).__name__}: {error}")
    finally:
        for bystander in stage.bystanders:
            bystander.kill()
            bystander.communicate()
        shutil.rmtree(stage.folder, ignore_errors=True)
    if complaint or left:
        return Outcome(ESCAPED, complaint or left)
    return outcome


def _face(case: Case, stage: Stage) -> Outcome:
    try:
        source = submission(case, stage.folder)
    except SubmissionError as refused:
        return Outcome(REFUSED, str(refused))
    try:
        stage.worker = stage.zygote.spawn(source, limits=case.limits, required=case.required)
        if case.stands_alone:
            stage.worker.call(case.required[0], None, budget=case.budget)
            return Outcome(ESCAPED, "it was loaded, and plays")
        for turn in range(case.rounds):
            if turn:
                time.sleep(case.pause)  # the rivals' turns
            said = stage.worker.call("probe", stage.target, budget=case.budget, reply=str | None)
            if said is not None:
                return Outcome(ESCAPED, said)
    except Misconduct as misconduct:
        verdict = misconduct.verdict
        if verdict.ending != Ending.EXCEPTION or not case.may_raise:
            return _judge(case, misconduct)
    assert stage.worker is not None
    try:
        said = stage.worker.call("still", None, budget=QUICK, reply=str)
    except Misconduct as misconduct:
        return _judge(case, misconduct)
    return Outcome(CONTAINED if said == "still here" else ESCAPED, "" if said == "still here" else said)


def _judge(case: Case, misconduct: Misconduct) -> Outcome:
    """The verdict; one without the words or the line it should have is no verdict the table knows."""
    verdict = misconduct.verdict
    if case.detail not in verdict.explain() or case.line not in (0, verdict.line):
        lacking = f"without {case.detail!r} or line {case.line}"
        return Outcome(f"{verdict.ending}?", f"{lacking}: {verdict.explain()}")
    return Outcome(verdict.ending, verdict.explain())


def submission(case: Case, folder: Path) -> Submission:
    """What is handed in: the file with the shared tail, or whatever the case makes in the folder."""
    if case.make is not None:
        return Submission.read(case.make(folder))
    read = Submission.read(case.path)
    if case.stands_alone:
        return read
    return msgspec.structs.replace(read, files={read.entry: read.source + TAIL.encode()})


# What is left behind


def _settle(zygote: Zygote) -> None:
    """Have its spare worker there and accounted for, so that processes and descriptors can be counted."""
    zygote.spawn(_nobody).kill()
    zygote.settle()  # or the one that follows is under way while they are counted


def _nobody(view: object) -> None:
    pass


class _Remains:
    """What there was before a case: processes of the zygote's and descriptors of ours."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._guard = psutil.Process(zygote.pid)
        self._command = self._guard.cmdline()  # that of every fork of it as well
        self._since = time.time() - 0.1  # create_time() is coarse
        self._reapers = {parent.pid for parent in psutil.Process().parents()}  # one of them takes in orphans
        self._descriptors = len(os.listdir("/proc/self/fd"))

    def left_behind(self) -> str:
        """What is there now and was not; empty when nothing is."""
        _settle(self._zygote)
        descriptors = len(os.listdir("/proc/self/fd"))
        processes, at_rest = len(descendants(self._zygote.pid)), _at_rest[self._zygote]
        if processes != at_rest:
            return f"left behind: {processes} processes of the zygote's, where there were {at_rest}"
        orphans = [process.pid for process in psutil.process_iter() if self._is_orphan(process)]
        if orphans:
            return f"left behind: orphans {orphans}"
        if descriptors != self._descriptors:
            return f"left behind: {descriptors} descriptors, where there were {self._descriptors}"
        return ""

    def _is_orphan(self, process: psutil.Process) -> bool:
        """A fork of a worker that got away from its zygote, and was taken in by one of our ancestors."""
        try:
            is_new = process.create_time() >= self._since and process.ppid() in self._reapers
            return is_new and process.cmdline() == self._command
        except psutil.Error:
            return False  # gone meanwhile
