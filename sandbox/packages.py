"""Which files of this machine an interpreter in the box may read: its own library and allowed packages."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import sys
import sysconfig
from collections.abc import Iterable

import msgspec

from sandbox.errors import BoxError

# Not of the library proper: other people's packages, and what only an interactive user needs.
_NOT_LIBRARY = frozenset({"site-packages", "dist-packages"})
_SYSTEM_LIBRARIES = frozenset({"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"})
# The box's own needs: the code of the worker's side, its codec, and strategies that travel by value.
_OURS = ("sandbox", "msgspec", "cloudpickle")


class Packages(msgspec.Struct, frozen=True):
    """What a zygote is told of the file system."""

    path: list[str]  # directories for sys.path, beyond the standard library's
    names: list[str]  # top-level names that may be imported from them
    library: list[str]  # the standard library's directories
    system: list[str]  # shared objects, time zones and the like
    hidden: list[str]  # directories within the library that are not of it
    allowed: list[str]  # the files and directories of the packages, possibly within those


def find(preload: Iterable[str]) -> Packages:
    """Locate the modules of `preload`, what they require, and the interpreter's own files."""
    found = _Search()
    for name in preload:
        found.add(name.partition(":")[0])
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}  # in a virtual environment: the real one's
    library = sorted({sysconfig.get_path(name, vars=base) for name in ("stdlib", "platstdlib")})
    return Packages(
        path=list(dict.fromkeys([*found.path, *_own_path()])),
        names=sorted(found.names),
        library=library,
        system=_system_files(),
        hidden=[os.path.join(place, name) for place in library for name in sorted(_NOT_LIBRARY)],
        allowed=sorted(found.readable),
    )


def host_paths(known: Packages) -> tuple[str, ...]:
    """Directories that must not show in what a student reads, longest first."""
    places = {*known.library, *known.path, *known.allowed}
    places |= {sys.prefix, sys.base_prefix, os.path.expanduser("~")}
    return tuple(sorted((place for place in places if len(place) > 1), key=len, reverse=True))


def library_entries(library: str) -> list[str]:
    """The parts of the standard library one by one, for a layer that cannot hide what lies among them."""
    entries = (entry.path for entry in os.scandir(library) if entry.name not in _NOT_LIBRARY)
    return sorted(entries)


def _system_files() -> list[str]:
    """The shared objects that extensions link to, time zones, and a place to write nothing."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    libdir = sysconfig.get_config_var("LIBDIR") or ""
    candidates = ["/etc/ld.so.cache", "/usr/share/zoneinfo", os.devnull]
    candidates += [f"{root}/{multiarch}" for root in ("/lib", "/usr/lib") if multiarch]
    candidates += ["/lib64", "/usr/lib64"]
    if libdir not in _SYSTEM_LIBRARIES:  # a Python of its own prefix brings its own libraries
        candidates += [entry.path for entry in _scan(libdir) if ".so" in entry.name]
    return [path for path in candidates if path and os.path.exists(path)]


def _scan(directory: str) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return []


def _own_path() -> list[str]:
    return [os.path.dirname(_locations(name)[0]) for name in _OURS]


def _locations(name: str) -> list[str]:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        raise BoxError(f"cannot preload {name!r}: this Python ({sys.executable}) has no such module; install it first")
    places = list(spec.submodule_search_locations or ([spec.origin] if spec.origin else []))
    if not places:
        raise BoxError(f"cannot preload {name!r}: it has no files of its own")
    return places


class _Search:
    def __init__(self) -> None:
        self.path: list[str] = []
        self.names: set[str] = set()
        self.readable: set[str] = set()

    def add(self, name: str) -> None:
        top, _, rest = name.partition(".")
        if top in sys.stdlib_module_names or (top in self.names and not rest):
            return
        self.names.add(top)
        tops = _locations(top)
        self.path.append(os.path.dirname(tops[0]))
        if rest:
            # Only that part of the package; to import it Python runs the package's own file as well.
            self.readable.update(_locations(name))
            self.readable.add(os.path.join(tops[0], "__init__.py"))
            return
        self.readable.update(tops)
        self._add_distribution(top)

    def _add_distribution(self, top: str) -> None:
        """Shared objects that lie beside a package, and the packages it cannot work without."""
        try:
            distribution = importlib.metadata.distribution(top)
        except importlib.metadata.PackageNotFoundError:
            return
        for file in distribution.files or ():
            first = file.parts[0]
            place = str(distribution.locate_file(first))
            if first != ".." and not first.endswith((".dist-info", ".pth", "__pycache__")) and os.path.exists(place):
                self.readable.add(place)
                self.names.add(first.removesuffix(".py"))
        for requirement in distribution.requires or ():
            needed = re.match(r"[A-Za-z0-9._-]+", requirement)
            if needed and "extra ==" not in requirement and "extra==" not in requirement:
                required = needed[0].replace("-", "_")
                if importlib.util.find_spec(required) is not None:  # others are for other systems
                    self.add(required)
