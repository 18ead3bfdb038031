"""The import gate: tells a student early, by name, which packages are not allowed.

A kindness, not a barrier: the files of other packages cannot be read in the box whatever one tries.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class Gate:
    """A finder that comes first and finds nothing; it only refuses."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = frozenset(allowed) | sys.stdlib_module_names
        self._shown = ", ".join(sorted(allowed)) or "none"
        self.own: frozenset[str] = frozenset()  # modules of a submitted folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        # Names with an underscore are packages' own parts; some of the library's are listed nowhere.
        if "." in name or name.startswith("_") or name in self._allowed or name in self.own:
            return None
        raise ModuleNotFoundError(
            f"No module named {name!r} in the box. It has the standard library and these packages: {self._shown}",
            name=name,
        )
