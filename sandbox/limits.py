"""How much a stranger may use: small frozen values that say so, and what it did use."""

from __future__ import annotations

import msgspec

KiB = 1024
MiB = 1024 * KiB
GiB = 1024 * MiB

LONGEST = 1_000_000  # seconds of any budget: eleven days, and far below what a clock or a poll can count


class Budget(msgspec.Struct, frozen=True):
    """The time one call may take: CPU seconds, and wall seconds as a backstop against sleepers."""

    cpu: float = 5.0
    wall: float = 0.0  # 0: twice the CPU budget plus one second

    def __post_init__(self) -> None:
        if not 0 < self.cpu <= LONGEST:
            raise ValueError(f"a budget's cpu must be a positive number of seconds up to {LONGEST:,}, not {self.cpu!r}")
        if not 0 <= self.wall <= LONGEST:
            raise ValueError(f"a budget's wall must be a number of seconds from 0 to {LONGEST:,}, not {self.wall!r}")

    @property
    def deadline(self) -> float:
        """The wall seconds that apply."""
        return self.wall or 2 * self.cpu + 1


_MOST = 1 << 50  # of anything that is counted, or measured in bytes


def _size(count: int) -> str:
    """As one would write it on a command line: 8388608 is 8M."""
    for unit, letter in ((GiB, "G"), (MiB, "M"), (KiB, "K")):
        if count and count % unit == 0:
            return f"{count // unit}{letter}"
    return str(count)


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
        floors: dict[str, int] = {
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
            most = LONGEST if name == "bank" else _MOST
            if not floor <= value <= most:
                what = f"at least {_size(floor)}" if not floor <= value else f"at most {_size(most)}"
                raise ValueError(f"Limits.{name} must be {what}, not {value!r}")


class Usage(msgspec.Struct, frozen=True):
    """What a worker has used so far, measured from outside it."""

    cpu: float  # seconds, loading and time leaked between calls included
    wall: float  # seconds in which it was asked something
    peak_memory: int  # bytes, the zygote's own pages not counted
    output: int  # bytes written to stdout and stderr, dropped ones included
