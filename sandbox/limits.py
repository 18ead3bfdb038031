"""How much a stranger may use: small frozen values that say so, and what it did use."""

from __future__ import annotations

import math

import msgspec

KiB = 1024
MiB = 1024 * KiB
GiB = 1024 * MiB


class Budget(msgspec.Struct, frozen=True):
    """The time one call may take: CPU seconds, and wall seconds as a backstop against sleepers."""

    cpu: float = 5.0
    wall: float = 0.0  # 0: twice the CPU budget plus one second

    def __post_init__(self) -> None:
        if not (math.isfinite(self.cpu) and self.cpu > 0):
            raise ValueError(f"a budget's cpu must be a positive number of seconds, not {self.cpu!r}")
        if not (math.isfinite(self.wall) and self.wall >= 0):
            raise ValueError(f"a budget's wall must be a number of seconds, 0 or more, not {self.wall!r}")

    @property
    def deadline(self) -> float:
        """The wall seconds that apply."""
        return self.wall or 2 * self.cpu + 1


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one worker may use in its whole life."""

    memory: int = 256 * MiB  # writable memory, over what the zygote itself uses
    threads: int = 32
    descriptors: int = 64
    scratch: int = 16 * MiB  # where there is a private mount; otherwise there is no scratch at all
    output_kept: int = 64 * KiB
    output: int = 64 * MiB  # past this: `output-limit`
    frame: int = 1 * MiB  # the largest question and the largest answer
    load: Budget = Budget(cpu=10.0)  # reading the file, and its constructor
    bank: float = 0.0  # CPU seconds that calls may overrun their budgets by, in all

    def __post_init__(self) -> None:
        floors = {
            "memory": 8 * MiB,  # less, and loading anything at all is a matter of luck
            "threads": 1,
            "descriptors": 8,
            "scratch": 0,
            "output_kept": 0,
            "output": 1,
            "frame": KiB,
            "bank": 0,
        }
        for name, floor in floors.items():
            value = getattr(self, name)
            if not floor <= value < 1 << 50:
                raise ValueError(f"Limits.{name} must be at least {floor}, not {value!r}")


class Usage(msgspec.Struct, frozen=True):
    """What a worker has used so far, measured from outside it."""

    cpu: float  # seconds, loading and time leaked between calls included
    wall: float  # seconds in which it was asked something
    peak_memory: int  # bytes, the zygote's own pages not counted
    output: int  # bytes written to stdout and stderr, dropped ones included
