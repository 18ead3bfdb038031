"""All the cases, in the order of the threats they stand for."""

from __future__ import annotations

from sandbox import Layer
from tests.abuse import files, kernel, loading, memory, processes, protocol, time
from tests.abuse.case import Case

CASES: list[Case] = [
    *processes.CASES,
    *time.CASES,
    *memory.CASES,
    *files.CASES,
    *kernel.CASES,
    *protocol.CASES,
    *loading.CASES,
]


def layer_to_try_without(case: Case) -> Layer:
    """One layer a case, in turn: of those that know of it, or of all but the only one that does."""
    known = case.stopped_by if len(case.stopped_by) > 1 else frozenset(Layer) - case.stopped_by
    return sorted(known)[CASES.index(case) % len(known)]
