"""The pipe: broken frames, forged frames, lying answers, floods, and text that is not only text."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from sandbox import Budget, Ending, Limits, MiB, Misconduct, Plain, Submission
from tests.abuse.case import CONTAINED, QUICK, Case, Stage
from tests.abuse.tail import TAIL

PROTOCOL, ILLEGAL = Ending.PROTOCOL, Ending.ILLEGAL_MOVE
SLEEPER = Budget(cpu=0.3, wall=0.5)
IDLER = Budget(cpu=0.3, wall=1.0)  # time enough to see a referee that spins
QUIET = Limits(output=4 * MiB)

_noted: dict[Path, Any] = {}  # by the folder of the stage, from `setup` to `check`


class Place(msgspec.Struct, forbid_unknown_fields=True):
    """An answer with fields, as games want them."""

    row: Annotated[int, msgspec.Meta(ge=0, lt=100)]
    column: Annotated[int, msgspec.Meta(ge=0, lt=100)]


def also_asked_for(reply: Any, case: Case, *endings: str, views: int = 1) -> Case:
    """A second worker with the file is asked for another type of answer, once a view; these endings will do."""

    def setup(stage: Stage) -> None:
        submission = Submission.read(case.path)
        files = {submission.entry: submission.source + TAIL.encode()}
        worker = stage.zygote.spawn(msgspec.structs.replace(submission, files=files))
        stage.neighbours.append(worker)
        came = _noted[stage.folder] = []
        for view in range(views):
            try:
                came.append(worker.call("probe", view, budget=QUICK, reply=reply))
            except Misconduct as misconduct:
                came.append(misconduct.verdict.ending)

    def check(stage: Stage) -> str | None:
        wrong = [came for came in _noted.pop(stage.folder) if came not in endings]
        return f"asked for {reply}: {str(wrong)[:200]}" if wrong else None

    return replace(case, setup=setup, check=check)


def a_large_question(stage: Stage) -> str:
    return "x" * 900_000


def our_time(stage: Stage) -> None:
    _noted[stage.folder] = time.process_time()


def we_slept(stage: Stage) -> str | None:
    """The referee waited; it did not look again and again."""
    used = time.process_time() - _noted.pop(stage.folder)
    return f"the referee spent {used:.1f} s of CPU on waiting" if used > 0.4 else None


def output_is_cut(stage: Stage) -> str | None:
    assert stage.worker is not None
    kept = stage.worker.output
    if len(kept) > 70_000 or "bytes dropped" not in kept:
        return f"{len(kept):,} characters of output were kept"
    return None


def output_is_clean(stage: Stage) -> str | None:
    assert stage.worker is not None
    odd = {char for char in stage.worker.output if unicodedata.category(char)[0] == "C" and char != "\n"}
    if odd or "red" not in stage.worker.output:
        return f"the output holds {odd}: {stage.worker.output!r}"
    return None


def memory_is_ours_to_say(stage: Stage) -> str | None:
    assert stage.worker is not None
    peak = stage.worker.usage.peak_memory
    return None if 0 < peak < 256 * MiB else f"a peak of {peak:,} bytes"


def nothing_unpickled(stage: Stage) -> str | None:
    return "its __reduce__ was run" if Path("/tmp/hostile-was-here").exists() else None


def named(name: str) -> Callable[[Stage], str]:
    return lambda stage: name


def numbered(number: int) -> Callable[[Stage], int]:
    return lambda stage: number


CASES = [
    # Frames
    Case("protocol_length_2gib", PROTOCOL, detail="2,147,483,647 bytes"),
    Case("protocol_length_4gib", PROTOCOL),
    Case("protocol_too_large_frame", PROTOCOL),
    Case("protocol_largest_frame", ILLEGAL),
    Case("protocol_half_frame", Ending.WALL_TIMEOUT, budget=SLEEPER),
    Case("protocol_half_header", Ending.WALL_TIMEOUT, budget=SLEEPER),
    Case("protocol_byte_now_and_then", Ending.WALL_TIMEOUT, budget=SLEEPER),
    Case("protocol_byte_by_byte", (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT, ILLEGAL, PROTOCOL)),
    Case("protocol_half_then_exit", Ending.EXIT),
    Case("protocol_garbage", PROTOCOL),
    Case("protocol_empty_answer", PROTOCOL),
    Case("protocol_trailing_bytes", PROTOCOL),
    Case("protocol_partial_text", PROTOCOL),
    Case("protocol_surrogate_by_hand", PROTOCOL),
    also_asked_for(Plain, Case("protocol_false_count", (PROTOCOL, ILLEGAL)), PROTOCOL),
    # Numbers
    Case("protocol_answer_twice", PROTOCOL),
    Case("protocol_two_in_one_write", PROTOCOL),
    Case("protocol_thread_answers", PROTOCOL),
    Case("protocol_old_number", PROTOCOL, rounds=2, detail="not asked"),
    Case("protocol_answer_while_loading", PROTOCOL),
    Case("protocol_guess_the_number", CONTAINED, rounds=626),
    # Frames in the box's name
    Case("protocol_forged_kind", PROTOCOL, name="locked", setup=numbered(3)),
    Case("protocol_forged_kind", PROTOCOL, name="ready", setup=numbered(4)),
    Case("protocol_forged_kind", PROTOCOL, name="fault", setup=numbered(5)),
    Case("protocol_forged_kind", PROTOCOL, name="waiting", setup=numbered(6)),
    Case("protocol_forged_kind", PROTOCOL, name="unknown", setup=numbered(255)),
    *(Case("protocol_forged_exception", PROTOCOL, name=str(number), setup=numbered(number)) for number in range(5)),
    Case("protocol_loud_exception", Ending.EXCEPTION, detail=r"\x1b]0;owned"),
    Case("protocol_ready_twice", PROTOCOL),
    Case("protocol_ready_without_text", PROTOCOL),
    Case("protocol_fault_while_loading", PROTOCOL),
    Case("protocol_patched_box", PROTOCOL),
    # Pipes
    Case("protocol_never_read", Ending.WALL_TIMEOUT, rounds=2, budget=SLEEPER, setup=a_large_question),
    Case("protocol_read_the_head", PROTOCOL, rounds=3, setup=a_large_question),
    Case("protocol_close_reply", PROTOCOL, detail="closed its pipe"),
    Case("protocol_close_request", (Ending.EXIT, PROTOCOL)),
    Case("protocol_close_all", (Ending.EXIT, PROTOCOL)),
    Case("protocol_close_output", Ending.WALL_TIMEOUT, budget=IDLER, setup=our_time, check=we_slept),
    Case("protocol_close_output_and_answer", CONTAINED),
    Case("protocol_print_to_pipe", PROTOCOL),
    Case("protocol_swap_pipes", (Ending.EXIT, PROTOCOL)),
    Case("protocol_nonblocking", (CONTAINED, Ending.EXIT, PROTOCOL)),  # which, is a race of its own making
    Case("protocol_packet_pipe", CONTAINED),
    Case("protocol_answer_and_die", (Ending.CRASH, PROTOCOL)),
    # Answers
    Case("protocol_nan", ILLEGAL),
    Case("protocol_infinity", ILLEGAL),
    Case("protocol_huge_int", ILLEGAL),
    Case("protocol_huge_int_shown", (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT)),
    Case("protocol_lone_surrogate", ILLEGAL),
    Case("protocol_deep_answer", (ILLEGAL, Ending.CRASH)),
    also_asked_for(Plain, Case("protocol_deep_by_hand", ILLEGAL), ILLEGAL),
    also_asked_for(Plain, Case("protocol_colliding_keys", ILLEGAL), ILLEGAL),
    also_asked_for(list[int], Case("protocol_many_objects", ILLEGAL), ILLEGAL),
    Case("protocol_endless_list", ILLEGAL),
    Case("protocol_wrong_type", ILLEGAL),
    also_asked_for(Place, Case("protocol_wrong_keys", ILLEGAL), ILLEGAL, views=12),
    Case("protocol_lying_object", ILLEGAL, check=nothing_unpickled),
    Case("protocol_repr_raises", ILLEGAL, detail="cannot be shown"),
    Case("protocol_repr_exits", (Ending.EXIT, ILLEGAL)),
    Case("protocol_repr_loops", Ending.CPU_TIMEOUT),
    Case("protocol_repr_huge", ILLEGAL),
    # Reports
    Case("protocol_str_raises", Ending.EXCEPTION, detail="Mute"),
    Case("protocol_str_loops", Ending.CPU_TIMEOUT),
    Case("protocol_str_huge", Ending.EXCEPTION),
    Case("protocol_name_raises", (Ending.EXCEPTION, Ending.EXIT)),
    Case("protocol_escapes_in_exception", Ending.EXCEPTION, detail=r"\x1b]0;owned\x07\x1b[31m\u202egnp.exe\u2066\x9b"),
    Case("protocol_escapes_in_names", Ending.EXCEPTION, detail=r"\x1b[31m\u202ewssap"),
    Case("protocol_forged_last_words", Ending.CPU_TIMEOUT),
    # Output
    Case("protocol_endless_stdout", Ending.OUTPUT_LIMIT, limits=QUIET),
    Case("protocol_endless_stderr", Ending.OUTPUT_LIMIT, limits=QUIET),
    Case("protocol_output_by_bytes", (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT, Ending.OUTPUT_LIMIT)),
    Case("protocol_flood_and_answer", CONTAINED, check=output_is_cut),
    Case("protocol_escapes_in_output", CONTAINED, check=output_is_clean),
    # What is measured
    Case("protocol_process_name", CONTAINED, name="no number", setup=named("VmHWM:x"), check=memory_is_ours_to_say),
    Case("protocol_process_name", CONTAINED, name="large", setup=named("VmHWM:9999999kB"), check=memory_is_ours_to_say),
]
