"""Joins the plain JavaScript modules of `web/` into one script: no build step, nothing to fetch.

A module may import names from others here (`import { el } from "./dom.js";`, on one line) and export functions,
classes and constants where they are declared. Each becomes a function that returns what it exports, so that names stay
its own.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


@cache
def script(entry: str) -> str:
    """The module `entry` with all that it needs, as the text of one script."""
    joined: dict[str, str] = {}
    _join(entry, joined, ())
    return '"use strict";\n' + "\n".join(joined.values())


@cache
def styles(*names: str) -> str:
    return "\n".join(_read(f"{name}.css") for name in names)


def _join(name: str, joined: dict[str, str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"{' imports '.join([*above, name])}: modules must not import each other in a circle")
    if name in joined:
        return
    text = _read(f"{name}.js")
    for _, needed in _IMPORT.findall(text):
        _join(needed, joined, (*above, name))
    text = _IMPORT.sub(r"const { \1 } = \2_js;", text)
    exported = _EXPORT.findall(text)
    text = _EXPORT.sub("", text)
    if (other := _OTHER.search(text)) is not None:
        raise ValueError(f"{name}.js: write it as one of the forms that bundle.py knows: {other[0]}")
    joined[name] = f"const {name}_js = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"


def _read(name: str) -> str:
    return (files(__package__) / "web" / name).read_text(encoding="utf-8")
