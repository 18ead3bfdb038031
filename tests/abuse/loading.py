"""Loading: a file that does not load is told where; one that misbehaves meanwhile is judged as in a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sandbox import Budget, Ending, Layer, Limits
from sandbox.submission import LIMITS
from tests.abuse.case import DEFAULTS, REFUSED, Case

READ = frozenset({Layer.NAMESPACES, Layer.LANDLOCK})  # those that keep files from being read
BUSY = Limits(load=Budget(cpu=0.1, wall=10.0))
ASLEEP = Limits(load=Budget(cpu=0.2, wall=0.3))


def loading(
    file: str,
    expected: str | tuple[str, ...],
    *,
    detail: str = "",
    line: int = 0,
    stopped_by: frozenset[Layer] = frozenset(),
    why: str = "",
    limits: Limits = DEFAULTS,
    make: Callable[[Path], Path] | None = None,
) -> Case:
    return Case(
        file,
        expected,
        stopped_by,
        why=why,
        detail=detail,
        line=line,
        limits=limits,
        make=make,
        required=("take_turn",),
        budget=Budget(cpu=0.1, wall=10.0),
    )


def deep_nesting(folder: Path) -> Path:
    return _written(folder, "DEEP = " + "-" * 50_000 + "1\n")


def long_expression(folder: Path) -> Path:
    return _written(folder, "LONG = 1" + " + 1" * 100_000 + "\n")


def parentheses(folder: Path) -> Path:
    return _written(folder, "DEEP = " + "(" * 50_000 + ")" * 50_000 + "\n")


def huge(folder: Path) -> Path:
    return _written(folder, "#" * (LIMITS["Python source"] + 1))


def missing(folder: Path) -> Path:
    return folder / "nowhere.py"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.py")
    return folder / "pipe.py"


def empty_folder(folder: Path) -> Path:
    return folder


def linked(folder: Path) -> Path:
    _written(folder, "").rename(folder / "strategy.py")
    (folder / "book.txt").symlink_to("/etc/passwd")
    return folder


def _written(folder: Path, source: str) -> Path:
    (folder / "bot.py").write_text(source, encoding="utf-8")
    return folder / "bot.py"


CASES = [
    loading("load_syntax_error", Ending.LOAD_ERROR, detail="SyntaxError", line=5),
    loading("load_wrong_encoding", Ending.LOAD_ERROR, detail="UTF-8", line=3),
    loading("load_unknown_encoding", Ending.LOAD_ERROR, detail="klingon"),
    loading("load_null_byte", Ending.LOAD_ERROR, detail="null byte", line=5),
    loading("load_nothing", Ending.LOAD_ERROR, detail="take_turn"),
    loading("load_missing_method", Ending.LOAD_ERROR, detail="take_turn"),
    loading("load_wrong_signature", Ending.LOAD_ERROR, detail="line 5"),
    loading("load_no_class", Ending.LOAD_ERROR, detail="must be a class"),
    loading("load_constructor_raises", Ending.LOAD_ERROR, detail="ZeroDivisionError", line=6),
    loading("load_constructor_wants", Ending.LOAD_ERROR, detail="depth"),
    loading("load_lying_class", Ending.LOAD_ERROR, detail="KeyError", line=6),
    loading("load_foreign_package", Ending.LOAD_ERROR, detail="psutil", line=3),
    loading("load_foreign_package_by_force", Ending.LOAD_ERROR, detail="psutil", stopped_by=READ),
    loading("load_reference_player", Ending.LOAD_ERROR, detail="players", stopped_by=READ),
    loading("load_endless_loop", Ending.CPU_TIMEOUT, detail="in <module>", limits=BUSY),
    loading("load_endless_metaclass", Ending.CPU_TIMEOUT, detail="in __call__", limits=BUSY),
    loading("load_endless_signature", Ending.CPU_TIMEOUT, detail="in __signature__", limits=BUSY),
    loading("load_sleep", Ending.WALL_TIMEOUT, line=5, limits=ASLEEP),
    loading(
        "load_gibibyte",
        Ending.MEMORY,
        line=3,
        stopped_by=frozenset({Layer.RLIMITS}),
        why="only the kernel's own limits count memory",
    ),
    loading("load_exit", Ending.EXIT, line=5),
    loading("load_os_exit", Ending.EXIT),
    loading("load_crash", Ending.CRASH, detail="SIGABRT", line=5),
    loading("load_forge_fault", Ending.PROTOCOL),
    loading("load_forge_ready", Ending.CPU_TIMEOUT),
    loading("load_forge_missing", Ending.PROTOCOL),
    loading("load_deep_nesting", (Ending.LOAD_ERROR, Ending.MEMORY, Ending.CRASH), make=deep_nesting),
    loading("load_long_expression", (Ending.LOAD_ERROR, Ending.MEMORY, Ending.CRASH), make=long_expression),
    loading("load_parentheses", (Ending.LOAD_ERROR, Ending.MEMORY), detail="parentheses", make=parentheses),
    loading("load_over_a_megabyte", REFUSED, make=huge),
    loading("load_missing_path", REFUSED, make=missing),
    loading("load_pipe", REFUSED, make=pipe),
    loading("load_empty_folder", REFUSED, make=empty_folder),
    loading("load_link_in_folder", REFUSED, make=linked),
]
