"""What a worker says of its own failure, made into a verdict: words only, cleaned, cut, and never believed further."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, get_args

import msgspec

from sandbox.channel import Plain, Raised
from sandbox.verdicts import Ending, Frame, Verdict, clean, without_host_paths

_MOST_FRAMES = 20
# A line of faulthandler's: `  File "bot.py", line 3 in take_turn`
_DUMPED = re.compile(r'File "([^"\n]+)", line (\d{1,9}) in ([^\n]+)')
# All that faulthandler says when it is asked, which is not what the stranger printed.
_DUMP = re.compile(rb'Stack \(most recent call first\):\n(?:  (?:File "|\.\.\.|<)[^\n]*\n)*')
_QUOTED = re.compile(r"`[^`]{1,100}`")
_PLACE = re.compile(r" - at `\$([^`]*)`$")
_BOOT = ("<string>", "<module>")  # the zygote's own first line


def of_exception(said: Raised, method: str, host_paths: Iterable[str]) -> Verdict:
    """An exception it says was raised; while loading `method` is empty."""
    if said.memory:
        ending = Ending.MEMORY
    elif said.exited:
        ending = Ending.EXIT
    else:
        ending = Ending.EXCEPTION if method else Ending.LOAD_ERROR
    paths = tuple(host_paths)

    def shown(text: str, limit: int) -> str:
        return clean(without_host_paths(text, paths), limit)

    kind, text = shown(said.type, 100), shown(said.text, 2000)
    frames = tuple(
        Frame(shown(file, 200), line, shown(function, 100), shown(source, 200))
        for file, line, function, source in said.frames[-_MOST_FRAMES:]
    )
    return Verdict.of(ending, f"{kind}: {text}" if text else kind, method, frames)


def of_dump(output: bytes, host_paths: Iterable[str]) -> tuple[Frame, ...]:
    """The stranger's frames of a traceback that faulthandler left at the end of the output."""
    _, _, dump = output.decode("utf-8", "replace").rpartition("most recent call first")
    library = ("<frozen", *host_paths)
    own = [
        Frame(clean(os.path.basename(file), 200), int(line), clean(function, 100))
        for file, line, function in _DUMPED.findall(dump)
        if not file.startswith(library) and (file, function) != _BOOT
    ]
    return tuple(reversed(own[:_MOST_FRAMES]))


def without_dump(output: bytes | bytearray) -> bytes:
    """What the stranger printed itself while faulthandler was asked where it is."""
    return _DUMP.sub(b"", output)


def of_output(text: str, host_paths: Iterable[str]) -> str:
    """What it printed, without this machine's directories, and without our own frames of faulthandler's dumps."""
    paths = tuple(host_paths)

    def kept(line: str) -> bool:
        found = _DUMPED.fullmatch(line.strip())
        return found is None or not (found[1].startswith(("<frozen", *paths)) or (found[1], found[3]) == _BOOT)

    return without_host_paths("\n".join(line for line in text.split("\n") if kept(line)), paths)


def of_misfit(method: str, reply: Any, what: str) -> Verdict:
    """A sound frame whose value is not what was asked for."""
    detail = f"{method} must answer with {clean(_wanted(reply), 300)}: {clean(_in_python(what), 300)}"
    return Verdict.of(Ending.ILLEGAL_MOVE, detail, method)


def _in_python(misfit: str) -> str:
    """What msgspec says of data, for somebody who wrote Python and never saw the data: lists, dicts, `answer[0]`."""
    said = _QUOTED.sub(lambda quoted: quoted[0].replace("array", "list").replace("object", "dict"), misfit)
    said = said.replace("Expected", "expected", 1).replace("Invalid enum value", "unknown word", 1)
    return _PLACE.sub(r", at answer\1", said)


def _wanted(reply: Any) -> str:
    """The type in words: its own description (`Annotated[..., msgspec.Meta(description=...)]`) where it has one."""
    for note in getattr(reply, "__metadata__", ()):
        if isinstance(note, msgspec.Meta) and note.description:
            return note.description
    if reply is Plain:
        return "plain data"
    # tuple[int, int] says more than its name
    return reply.__name__ if isinstance(reply, type) and not get_args(reply) else str(reply).replace("typing.", "")
