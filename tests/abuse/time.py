"""Time: late is late whatever it does, and the rivals' turn is theirs."""

from __future__ import annotations

from sandbox import Budget, Ending, Layer
from tests.abuse.case import CONTAINED, Case, Stage
from tests.abuse.processes import LONG_WALL, SHORT, answer

CROWDED = Budget(cpu=1.0, wall=1.2)
FREEZE = "the freeze and the CPU clock are of one process: only seccomp keeps it from being two"


def rival(stage: Stage) -> list[int]:
    """One whose process id the file is told."""
    stage.neighbours.append(stage.zygote.spawn(answer, name="rival"))
    return [stage.neighbours[0].pid]


def ends_soon(stage: Stage) -> str | None:
    """Waiting for a core is no fault, but who makes itself wait, or only seems to, gains little by it."""
    assert stage.worker is not None
    took = stage.worker.usage.wall
    return f"its turns went on for {took:.1f} s" if took > 10 * CROWDED.wall else None


CASES = [
    Case("time_busy_loop", Ending.CPU_TIMEOUT, budget=LONG_WALL, detail="in attack"),
    Case("time_sleep", Ending.WALL_TIMEOUT, budget=SHORT, line=7),
    Case("time_select", Ending.WALL_TIMEOUT, budget=SHORT, line=9),
    Case("time_blocking_read", Ending.WALL_TIMEOUT, budget=SHORT, line=8),
    Case("time_read_question", Ending.WALL_TIMEOUT, budget=SHORT, line=7),
    Case("time_deadlock", Ending.WALL_TIMEOUT, budget=SHORT, line=9),
    Case("time_disarm", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_think_in_thread", CONTAINED, rounds=2, pause=0.2),
    Case("time_think_in_timer", CONTAINED, rounds=2, pause=0.2),
    Case("time_answer_then_compute", (Ending.CPU_TIMEOUT, Ending.PROTOCOL), pause=0.1, rounds=2, budget=LONG_WALL),
    Case("time_fork_and_think", CONTAINED, frozenset({Layer.SECCOMP}), why=FREEZE, rounds=2, pause=0.3),
    Case("time_thaw_by_child", CONTAINED, frozenset({Layer.SECCOMP}), why=FREEZE, rounds=2, pause=0.3),
    Case(
        "time_cancel_freeze",
        CONTAINED,
        frozenset({Layer.SECCOMP}),
        why="any process may signal itself, and SIGCONT takes back a SIGSTOP that is under way",
        rounds=4,
        pause=0.1,
        budget=Budget(cpu=3.0, wall=10.0),
    ),
    Case("time_alarm_later", Ending.CRASH, rounds=2, pause=0.1, detail="SIGALRM"),
    Case("time_watch_rival", CONTAINED, frozenset({Layer.SECCOMP, Layer.NAMESPACES}), setup=rival),
    Case("time_warp", CONTAINED, frozenset({Layer.SECCOMP, Layer.UID, Layer.NAMESPACES})),
    Case("time_dodge_ticks", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_many_threads", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_relay_threads", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_burst", (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT), budget=CROWDED, check=ends_soon),
    Case("time_doze", Ending.WALL_TIMEOUT, budget=CROWDED, check=ends_soon),
    Case("time_hoard", Ending.WALL_TIMEOUT, rounds=3, budget=CROWDED, check=ends_soon),
    Case("time_hog_interpreter", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_regex", Ending.CPU_TIMEOUT, budget=LONG_WALL, line=7),
    Case("time_power", Ending.CPU_TIMEOUT, budget=LONG_WALL, line=6),
    Case("time_int_to_str", Ending.CPU_TIMEOUT, budget=LONG_WALL, line=9),
    Case("time_int_to_str_guarded", Ending.EXCEPTION, detail="ValueError", line=5),
    Case("time_system_exit", Ending.EXIT),
    Case("time_keyboard_interrupt", Ending.EXCEPTION, detail="KeyboardInterrupt", line=5),
    Case("time_strange_exception", Ending.EXCEPTION, detail="Strange", line=9),
    Case("time_bare_except", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_finally", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_endless_generator", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_finalizer", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("time_atexit", Ending.EXIT),
    Case("time_profile_hook", Ending.CPU_TIMEOUT, budget=LONG_WALL),
]
