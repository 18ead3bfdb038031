"""A player that takes down each worker of a cluster it comes to, as no stranger's file can from inside its box."""

from __future__ import annotations

import os
from typing import Any

import distributed


class Murderer:
    def __reduce__(self) -> Any:
        return arrived, ()


def arrived() -> Murderer:
    """It passes the scheduler in peace."""
    if distributed.Worker._instances:
        os._exit(1)
    return Murderer()
