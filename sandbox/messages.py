"""What the referee and the zygote say to each other, over a socket no stranger ever holds."""

from __future__ import annotations

from typing import Any

import msgspec

from sandbox.layers import Layer
from sandbox.packages import Packages

# Where things are in the private root.
SCRATCH = "/scratch/tmp"  # has a static parent for Landlock's rule, which walks up through mounts
SUBMISSION = "/box/bot"


class Config(msgspec.Struct, frozen=True):
    """The referee's first message."""

    packages: Packages
    preload: list[str]
    layers: frozenset[Layer]
    core: int | None
    temporary: str  # a directory of the host's that goes when the zygote does; may be none


class Up(msgspec.Struct, frozen=True, tag=True):
    """The zygote is ready."""

    baseline: int  # bytes of memory that a worker with an empty file touches


class Down(msgspec.Struct, frozen=True, tag=True):
    """It could not start: a layer was refused, or something else (then `layer` is empty)."""

    why: str
    layer: str = ""
    missing: bool = False


class Prepare(msgspec.Struct, frozen=True, tag=True):
    """Fork a worker; three descriptors come with it: request, reply, output."""

    number: int


class Prepared(msgspec.Struct, frozen=True, tag=True):
    """Done; the message's credentials name the stranger, unless `pid` does."""

    number: int
    pid: int  # as the zygote sees it


class Ask(msgspec.Struct, frozen=True, tag=True):
    """How did this worker end?"""

    number: int
    serial: int  # comes back with the answer: one that nobody waited for is not taken for another's


class End(msgspec.Struct, frozen=True, tag=True):
    """Kill this worker and everything it started, and answer when nothing is left."""

    number: int
    serial: int


class Ended(msgspec.Struct, frozen=True, tag=True):
    """`status` as waitpid gives it; None while it lives."""

    number: int
    status: int | None
    peak: int = 0  # bytes
    serial: int = 0


class Failed(msgspec.Struct, frozen=True, tag=True):
    """That request could not be carried out."""

    number: int
    why: str
    serial: int = 0  # 0: it was an order


REQUESTS: Any = msgspec.msgpack.Decoder(Prepare | Ask | End)
REPLIES: Any = msgspec.msgpack.Decoder(Up | Down | Prepared | Ended | Failed)
