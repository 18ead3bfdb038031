"""The layers of the box: few, named, in the order they are put on, each with its reason.

`uid` and `namespaces` are put on while a worker waits for its file; `rlimits`, `landlock` and `seccomp`
once it has it. Every layer but these five is hygiene that is always done (descriptors, capabilities).
"""

from __future__ import annotations

import enum
import errno


class Layer(enum.StrEnum):
    UID = "uid"
    NAMESPACES = "namespaces"
    RLIMITS = "rlimits"
    LANDLOCK = "landlock"
    SECCOMP = "seccomp"


ALL_LAYERS = frozenset(Layer)


class Refused(Exception):
    """A layer could not be put on."""

    def __init__(self, layer: Layer, error: OSError) -> None:
        super().__init__(f"{layer}: {error}")
        self.layer = layer
        self.why = error.strerror or str(error)
        if error.errno == errno.ENOSPC:  # what unshare says when a limit is reached
            self.why += " (the limit on namespaces, user.max_user_namespaces, is reached or 0)"
        self.missing = error.errno in (errno.ENOSYS, errno.EOPNOTSUPP)  # else the kernel has it and said no
