"""Installed distributions made into wheels again, so that a bundle carries just what this machine grades with."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import msgspec

from referee.grading.bundles.packing import packed

OURS = "referee"
_PACKAGES = ("players", "referee", "sandbox")  # as in pyproject.toml
_FIXTURES = "players/hostile/"  # of the tests; nobody should install them
# Written by whoever installed it, about this machine.
_LOCAL = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}


class WheelError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


class _Directory(msgspec.Struct):
    editable: bool = False


class _Origin(msgspec.Struct):
    """direct_url.json, as far as it matters here."""

    dir_info: _Directory = msgspec.field(default_factory=_Directory)


def needed(names: Iterable[str]) -> list[Distribution]:
    """These and all that they need, as far as it is installed: what is not is for another system, or an extra."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = _normal(waiting.pop())
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            if name == OURS:
                raise WheelError("The referee is not installed, only its source is here; run: pip install .") from None
            continue
        for requirement in found[name].requires or ():
            what, _, condition = requirement.partition(";")
            if not re.search(r"\bextra\b", condition):
                waiting.append(re.split(r"[^\w.-]", what.strip(), maxsplit=1)[0])
    return [found[name] for name in sorted(found)]


def pin(distribution: Distribution) -> str:
    """A line of requirements.txt: just this version."""
    return f"{_normal(distribution.name)}=={distribution.version}"


def wheel(distribution: Distribution) -> tuple[str, bytes] | None:
    """The name and content of a wheel; None where it was not installed from one, and must be fetched again."""
    files = {
        str(path): Path(str(path.locate())).read_bytes()
        for path in distribution.files or ()
        # Commands, outside of the packages, are made anew from the entry points.
        if ".." not in path.parts and path.suffix != ".pyc" and path.name not in _LOCAL
    }
    about = next((Path(path).parent for path in files if re.fullmatch(r"[^/]+\.dist-info/WHEEL", path)), None)
    if about is None:
        return None
    if _is_editable(distribution):
        if _normal(distribution.name) != OURS:
            raise WheelError(
                f"{distribution.name} is installed as a link to its source, which a bundle cannot carry; "
                "install it with: pip install PATH"
            )
        files = _sources() | {path: content for path, content in files.items() if Path(path).parts[0] == about.name}
    files = dict(sorted(files.items()))
    record = "".join(f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    return f"{about.stem}-{_tag(files[f'{about}/WHEEL'].decode())}.whl", packed(files)


def _is_editable(distribution: Distribution) -> bool:
    origin = distribution.read_text("direct_url.json")
    return origin is not None and msgspec.json.decode(origin, type=_Origin).dir_info.editable


def _sources() -> dict[str, bytes]:
    root = Path(__file__).resolve().parents[3]
    paths = sorted(path for package in _PACKAGES for path in (root / package).rglob("*") if path.is_file())
    named = {path.relative_to(root).as_posix(): path for path in paths}
    return {
        name: path.read_bytes()
        for name, path in named.items()
        if not name.startswith(_FIXTURES) and not re.search(r"(^|/)(\.|__pycache__/)|\.pyc$", name)
    }


def _tag(about: str) -> str:
    """What is told of Python, ABI and platform in a wheel's name: all that its tags say, each once."""
    tags = [tag.split("-") for tag in re.findall(r"^Tag: (\S+)", about, re.MULTILINE)]
    return "-".join(".".join(dict.fromkeys(part)) for part in itertools.zip_longest(*tags, fillvalue=""))


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
