"""Who descends from a process, by the kernel's own word."""

from __future__ import annotations

import contextlib
from pathlib import Path


def descendants(pid: int) -> list[int]:
    """The process ids of its children, theirs, and so on, eldest first.

    Not psutil's `children`, which leaves out those that seem older than their parent: the time of boot that it
    reckons from moves by a second now and then.
    """
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # gone meanwhile
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
                )
    found = [pid]
    for parent in found:
        found += sorted(child for child, its in parents.items() if its == parent)
    return found[1:]
