"""Processes and signals: no other programs, nothing that stays, nobody else hit."""

from __future__ import annotations

import subprocess
import sys

from sandbox import Budget, Ending, Layer
from tests.abuse.case import CONTAINED, Case, Stage

UID, NAMESPACES, RLIMITS, LANDLOCK, SECCOMP = Layer
SHORT = Budget(cpu=0.2, wall=0.3)  # for those that use up either
LONG_WALL = Budget(cpu=0.1, wall=10.0)  # for those whose CPU time must be what ends them
ANSWER = "import sys; print('here', flush=True); sys.stdin.readline(); print('still here')"


def rivals(stage: Stage) -> list[int]:
    """Two whose process ids the file is told: another worker, and a process of the referee's own user."""
    stage.neighbours.append(stage.zygote.spawn(answer, name="rival"))
    pipe = subprocess.PIPE
    bystander = subprocess.Popen([sys.executable, "-c", ANSWER], stdin=pipe, stdout=pipe, text=True)
    assert bystander.stdout is not None
    bystander.stdout.readline()
    stage.bystanders.append(bystander)
    return [stage.neighbours[0].pid, bystander.pid]


def answer(view: object) -> str:
    return "still here"


def thread_hog(stage: Stage) -> None:
    """A rival that has all the threads it may, and keeps them."""
    stage.neighbours.append(stage.zygote.spawn(keep_threads, name="hog"))
    kept = stage.neighbours[0].call("keep_threads", None, reply=int)
    assert 0 < kept < 100


def keep_threads(view: object) -> int:
    import threading

    forever = threading.Event()
    for started in range(100):
        try:
            threading.Thread(target=forever.wait, daemon=True).start()
        except RuntimeError:
            return started
    return 99


def rivals_live(stage: Stage) -> str | None:
    (bystander,) = stage.bystanders
    said, _ = bystander.communicate("\n")
    if said != "still here\n":
        return f"a process of the referee's ended with {bystander.returncode}"
    heard = stage.neighbours[0].call("answer", None, reply=str)
    return None if heard == "still here" else f"a rival answered {heard!r}"


CASES = [
    Case("process_fork_bomb", CONTAINED, frozenset({SECCOMP, RLIMITS})),
    Case(
        "process_thread_bomb",
        CONTAINED,
        frozenset({RLIMITS}),
        needs=frozenset({UID}),
        why="RLIMIT_NPROC alone counts threads, and not those of root",
    ),
    Case(
        "process_modest_threads",
        CONTAINED,
        frozenset({NAMESPACES}),
        why="an ordinary user's workers are told apart by their user namespaces, root's by their users as well",
        setup=thread_hog,
    ),
    Case("process_subprocess", CONTAINED, frozenset({SECCOMP, LANDLOCK, NAMESPACES})),
    Case("process_exec_loader", CONTAINED, frozenset({SECCOMP, LANDLOCK})),
    Case("process_exec_written", CONTAINED, frozenset({SECCOMP, LANDLOCK, NAMESPACES})),
    Case("process_daemon", CONTAINED, frozenset({SECCOMP, NAMESPACES})),
    Case("process_hydra", CONTAINED, frozenset({SECCOMP, NAMESPACES})),
    Case("process_clone_parent", CONTAINED, frozenset({SECCOMP, NAMESPACES})),
    Case("process_outlive_parent", CONTAINED, frozenset({SECCOMP, NAMESPACES})),
    Case("process_kill_parent", CONTAINED, frozenset({SECCOMP, LANDLOCK, NAMESPACES, UID})),
    Case("process_signal_everyone", CONTAINED, frozenset({SECCOMP, LANDLOCK, NAMESPACES, UID})),
    Case(
        "process_kill_rival",
        CONTAINED,
        frozenset({SECCOMP, LANDLOCK, NAMESPACES, UID}),
        setup=rivals,
        check=rivals_live,
    ),
    Case("process_setuid_binary", CONTAINED, frozenset({SECCOMP, LANDLOCK, NAMESPACES})),
    Case("process_become_root", CONTAINED, frozenset({SECCOMP, UID, NAMESPACES})),
    Case("process_zombies", CONTAINED, frozenset({SECCOMP, RLIMITS})),
    Case("process_exhaust_pids", CONTAINED, frozenset({SECCOMP, RLIMITS})),
    Case("process_stop_itself", Ending.WALL_TIMEOUT, budget=SHORT),
    Case("process_deaf", Ending.CPU_TIMEOUT, budget=LONG_WALL),
    Case("process_trap_thaw", Ending.CPU_TIMEOUT, rounds=2, budget=LONG_WALL),
    Case("process_exit", Ending.EXIT, detail="code 0"),
    Case("process_exit_from_thread", Ending.EXIT, detail="code 0"),
    Case("process_abort", Ending.CRASH, detail="SIGABRT", line=7),
    Case("process_segfault", Ending.CRASH, detail="SIGSEGV", line=7),
    Case("process_kill_itself", Ending.CRASH, detail="SIGKILL"),
    Case("process_terminate_itself", Ending.CRASH, detail="SIGTERM"),
]
