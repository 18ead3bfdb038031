"""TOML whose mistakes are told with the file and the line they are in."""

from __future__ import annotations

import copy
import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from referee.grading.toml_lines import Key, lines
from sandbox import clean

T = TypeVar("T")
MOST_BYTES = 1 << 20

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "datetime": "a date with a time, as in 2026-12-01T23:59:00Z",
    "date": "a date without a time",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


class TomlError(ValueError):
    """The user's mistake, in a sentence: file and line, what, and what to do."""


class Flaw(ValueError):
    """A mistake in a table, and the keys that lead from the table to it."""

    def __init__(self, sentence: str, *at: Key) -> None:
        super().__init__(sentence)
        self.at = at


class Located:
    """A TOML file, and where in it everything stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
            text = content.decode("utf-8-sig").replace("\r\n", "\n")
        except OSError as error:
            raise TomlError(f"{path} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise TomlError(f"{path}:{line}: this is not UTF-8; save the file in that encoding.") from None
        if len(content) > MOST_BYTES:
            raise TomlError(f"{path} has over {MOST_BYTES:,} bytes; it is no file of a course.")
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            what, found = str(error), re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
            line = int(found[1]) if found and found[1] else text.rstrip("\n").count("\n") + 1
            raise TomlError(f"{path}:{line}: {what[: found.start()] if found else what}.") from None
        except RecursionError:
            raise TomlError(f"{path} is nested too deep; no course is.") from None
        self._lines = lines(text)

    def line(self, at: Iterable[Key] = ()) -> int:
        """Where it stands, or else the innermost thing around it that stands somewhere."""
        keys = tuple(at)
        while keys and keys not in self._lines:
            keys = keys[:-1]
        return self._lines.get(keys, 1)

    def error(self, sentence: str, *at: Key) -> TomlError:
        return TomlError(f"{self.path}:{self.line(at)}: {sentence.rstrip('.')}.")

    def value(self, kind: type[T], data: Any, *at: Key) -> T:
        """What is there, as a value of this type; `at` leads to it from the top of the file."""
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            inner = _keys(str(error))
            if "[...]" in str(error):
                inner = (*inner, _culprit(kind, data, inner))
            sentence, further = _told(error, kind, data, inner)
            raise self.error(sentence, *at, *inner, *further) from None


def _keys(message: str) -> tuple[Key, ...]:
    """The keys in `... - at `$.rubric.check[2].points``; those of a plain dictionary are not in there."""
    _, found, place = message.rpartition(" - at `")
    if not found:
        return ()
    return tuple(
        int(index) if index else name for index, name in re.findall(r"\[(\d+)\]|\.([^.\[\]`]+)", place.lstrip("$"))
    )


def _culprit(kind: Any, data: Any, keys: tuple[Key, ...]) -> str:
    """Which entry of the dictionary at `keys` is at fault: the first that is so without the others."""
    for name in _followed(data, keys):
        alone = copy.deepcopy(data)
        table = _followed(alone, keys)
        for other in table.keys() - {name}:
            del table[other]
        try:
            msgspec.convert(alone, kind)
        except msgspec.ValidationError:
            return str(name)
    return ""


def _followed(data: Any, keys: tuple[Key, ...]) -> Any:
    for key in keys:
        data = data[key]
    return data


def _told(error: msgspec.ValidationError, kind: Any, data: Any, keys: tuple[Key, ...]) -> tuple[str, tuple[Key, ...]]:
    """A sentence, and the keys on from `keys` to what it is about."""
    if isinstance(error.__cause__, Flaw):
        return str(error.__cause__), error.__cause__.at
    if isinstance(error.__cause__, ValueError):  # in words of its own already
        return str(error.__cause__), ()
    what = str(error).partition(" - at `")[0]
    name = next((f"`{key}`" for key in reversed(keys) if isinstance(key, str)), "this")
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        known = _fields(_at(inspect.type_info(kind), data, keys))
        near = difflib.get_close_matches(found[1], known, 1)
        meant = f"did you mean `{near[0]}`?" if near else "remove it."
        choice = f" What can stand here is {', '.join(known)}" if known else ""
        return f"`{clean(found[1], 60)}` means nothing here; {meant}{choice}", (found[1],)
    if found := re.fullmatch(r"Object missing required field `(.*)`", what):
        return f"`{found[1]}` is missing here; add it", ()
    if found := re.fullmatch(r"Expected `(.*)`, got `(.*)`", what):
        kinds = [_WORDS.get(word, word) for word in found[1].split(" | ") if word != "null"]
        return f"{name} must be {' or '.join(kinds)}, not {_WORDS.get(found[2], found[2])}", ()
    if found := re.fullmatch(r"Expected `(.*)` (>=|<=|>|<) (\S+)", what):
        return f"{name} must be {_WORDS.get(found[1], found[1])} of {_BOUNDS[found[2]]} {float(found[3]):g}", ()
    if found := re.fullmatch(r"Expected `array` of length >= (\d+)", what):
        return f"{name} must have at least {found[1]} in its list", ()
    if found := re.fullmatch(r"Invalid (?:enum )?value (.*)", what, re.DOTALL):
        choices = ", ".join(_choices(inspect.type_info(kind), data, keys))
        return f"{name} cannot be {clean(found[1], 60)}; choose one of {choices}", ()
    return f"{name}: {what}", ()


def _at(kind: Any, data: Any, keys: tuple[Key, ...]) -> Any:
    """The type that stands at the end of these keys; in a union, the one the data is tagged as."""
    if isinstance(kind, inspect.Metadata):
        return _at(kind.type, data, keys)
    if isinstance(kind, inspect.UnionType):
        tagged = [one for one in kind.types if isinstance(one, inspect.StructType)]
        fitting = [one for one in tagged if isinstance(data, dict) and data.get(one.tag_field or "") == one.tag]
        return _at(fitting[0], data, keys) if fitting else kind
    if not keys:
        return kind
    key, rest = keys[0], keys[1:]
    if isinstance(kind, inspect.VarTupleType | inspect.ListType) and isinstance(key, int):
        return _at(kind.item_type, data[key], rest)
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            if field.encode_name == key:
                return _at(field.type, data.get(key), rest)
    return kind


def _fields(kind: Any) -> list[str]:
    if not isinstance(kind, inspect.StructType):
        return []
    return ([kind.tag_field] if kind.tag_field else []) + [field.encode_name for field in kind.fields]


def _choices(kind: Any, data: Any, keys: tuple[Key, ...]) -> Iterator[str]:
    found = _at(kind, data, keys)
    if isinstance(found, inspect.EnumType):
        yield from (repr(str(member.value)) for member in found.cls)
    elif isinstance(found, inspect.LiteralType):
        yield from map(repr, found.values)
    else:  # the key that tells the members of a union apart
        union = _at(kind, data, keys[:-1])
        yield from (repr(one.tag) for one in getattr(union, "types", ()) if isinstance(one, inspect.StructType))
