"""What times depend on besides the strategy: the machine, the interpreter, and how fast they are just now."""

from __future__ import annotations

import platform
import time
from pathlib import Path

import msgspec
import psutil

_ROUNDS = 40_000  # some milliseconds


class Machine(msgspec.Struct, frozen=True):
    """Where something was measured; equal where times can be compared as they are."""

    processor: str
    cores: int
    python: str
    system: str

    @classmethod
    def this(cls) -> Machine:
        return cls(
            processor=_processor(),
            cores=psutil.cpu_count() or 1,
            python=platform.python_version(),
            system=f"{platform.system()} {platform.machine()}",
        )


def calibration() -> float:
    """The CPU seconds that a fixed piece of Python takes."""
    begun = time.thread_time()
    value = 1
    for number in range(_ROUNDS):
        value = (value * 31 + number) % 65_537
    return time.thread_time() - begun


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()
