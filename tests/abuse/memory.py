"""Memory: what is counted, what only one layer can refuse, and what must not be counted."""

from __future__ import annotations

from sandbox import Budget, Ending, Layer, Limits, MiB
from tests.abuse.case import CONTAINED, Case, Stage
from tests.abuse.processes import answer

NAMESPACES, RLIMITS, LANDLOCK, SECCOMP = Layer.NAMESPACES, Layer.RLIMITS, Layer.LANDLOCK, Layer.SECCOMP
SMALL = Limits(memory=64 * MiB)  # the files stop by themselves at 300, and no machine minds that
TIME = Budget(cpu=3.0, wall=10.0)  # filling pages takes a while on a slow machine
COUNTED = "only the kernel's own limits count memory"
UNCOUNTED = "the limits do not count it as data, and below a gibibyte not as address space"
SECRET = "4711081547110815"


def hog(
    file: str,
    expected: str | tuple[str, ...],
    layer: Layer = RLIMITS,
    why: str = COUNTED,
    limits: Limits = SMALL,
) -> Case:
    return Case(file, expected, frozenset({layer}), why=why, limits=limits, budget=TIME)


def neighbour(stage: Stage) -> None:
    stage.neighbours.append(stage.zygote.spawn(answer, limits=SMALL, name="neighbour"))


def neighbour_thrives(stage: Stage) -> str | None:
    heard = stage.neighbours[0].call("answer", None, reply=str)
    return None if heard == "still here" else f"the neighbour answered {heard!r}"


def tell_a_rival(stage: Stage) -> str:
    """A rival that was asked something and a rival that was and is gone: the file is told how it began."""
    for _ in range(2):
        stage.neighbours.append(stage.zygote.spawn(answer, name="rival"))
        stage.neighbours[-1].call("answer", f"hand-of-cards:{SECRET}", reply=str)
    stage.neighbours[0].kill()
    return "hand-of-cards"


def peak_was_seen(stage: Stage) -> str | None:
    assert stage.worker is not None
    peak = stage.worker.usage.peak_memory
    return None if 38 * MiB < peak < 60 * MiB else f"a peak of 40 MiB was measured as {peak / MiB:.1f}"


CASES = [
    hog("memory_bytearray", Ending.MEMORY),
    hog("memory_one_gulp", Ending.MEMORY, limits=Limits()),
    hog("memory_list", Ending.MEMORY),
    hog("memory_dict", Ending.MEMORY),
    hog("memory_text", Ending.MEMORY),
    hog("memory_zip_bomb", Ending.MEMORY),
    hog("memory_mmap", Ending.MEMORY),
    hog("memory_mprotect", CONTAINED),
    hog("memory_mremap", CONTAINED),
    hog("memory_break", CONTAINED),
    hog("memory_library_pages", CONTAINED),
    hog("memory_thread_stacks", CONTAINED),
    hog("memory_page_tables", CONTAINED),
    hog("memory_shared", Ending.MEMORY, SECCOMP, UNCOUNTED),
    hog("memory_grows_down", Ending.MEMORY, SECCOMP, UNCOUNTED),
    Case(
        "memory_seal",  # what is no longer writable is no data to the limits: the referee itself looks
        Ending.MEMORY,
        limits=SMALL,
        budget=TIME,
    ),
    hog("memory_memfd", CONTAINED, SECCOMP, UNCOUNTED),
    hog("memory_pipes", CONTAINED, SECCOMP, "no limit counts what lies in pipes"),
    Case("memory_sysv", CONTAINED, frozenset({SECCOMP, NAMESPACES}), limits=SMALL),
    Case("memory_posix_shm", CONTAINED, frozenset({LANDLOCK, NAMESPACES}), limits=SMALL),
    Case("memory_lock", CONTAINED, frozenset({SECCOMP, RLIMITS}), limits=SMALL),
    Case("memory_raise_limits", CONTAINED, frozenset({SECCOMP, RLIMITS}), limits=SMALL),
    hog("memory_recursion", (Ending.MEMORY, Ending.EXCEPTION, Ending.CRASH)),
    Case("memory_recursion_in_c", (Ending.CRASH, Ending.EXCEPTION, Ending.MEMORY), limits=SMALL),
    Case("memory_stubborn", Ending.CPU_TIMEOUT, frozenset({RLIMITS}), why=COUNTED, limits=SMALL),
    Case("memory_claim", Ending.MEMORY),
    Case("memory_reserve", CONTAINED, limits=SMALL),
    Case("memory_brief_peak", CONTAINED, check=peak_was_seen),
    Case(
        "memory_bytearray",
        Ending.MEMORY,
        frozenset({RLIMITS}),
        why=COUNTED,
        name="beside a neighbour",
        limits=SMALL,
        budget=TIME,
        setup=neighbour,
        check=neighbour_thrives,
    ),
    Case("memory_rival_moves", CONTAINED, setup=tell_a_rival, budget=TIME),
]
