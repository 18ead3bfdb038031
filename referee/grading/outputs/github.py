"""GitHub Actions: annotations to print in a step, and a summary to append to $GITHUB_STEP_SUMMARY."""

from __future__ import annotations

import html
import secrets
from collections.abc import Iterator

from referee.grading.outputs.sheet import Item, Note, Sheet, fitting, number, sheet
from referee.grading.report import Grade
from sandbox import clean

_ANNOTATIONS = 10  # of one kind that GitHub shows for a step
_MESSAGE = 1_000  # characters of one
_SUMMARY = 1_000_000  # bytes; GitHub drops a summary of over 1 MiB


def files(grade: Grade) -> dict[str, bytes]:
    seen = sheet(grade)
    annotations = "".join(f"{row}\n" for row in _log(seen)).encode()
    return {**seen.attached, "annotations.txt": annotations, "summary.md": summary(seen, _SUMMARY)}


def summary(seen: Sheet, most: int) -> bytes:
    """Markdown of so many bytes at most."""
    return fitting(lambda limit: "".join(f"{row}\n" for row in _summary(seen, limit)).encode(), most)


def _log(seen: Sheet) -> Iterator[str]:
    yield _command("notice", "Grade", " ".join([f"{seen.score}.", *seen.remarks]))
    failed = [item for item in seen.items if not item.passed]
    found = [(item, note) for item in failed for note in item.notes]
    yield from (_command("error", item.title, note.sentence, note) for item, note in found[:_ANNOTATIONS])
    told = [item for item in failed if not item.notes]
    yield from (_command("warning", item.title, item.fault or item.sentence) for item in told[:_ANNOTATIONS])
    # Nobody can know the token beforehand, so nothing that a student prints begins a command again.
    token = secrets.token_hex(32)
    yield f"::stop-commands::{token}"
    for item in seen.items:
        yield f"{item.title}: {number(item.earned)} of {number(item.points)} points"
        yield from (f"  {row}" for row in item.text.splitlines())
    yield f"::{token}::"


def _command(kind: str, title: str, message: str, note: Note | None = None) -> str:
    place = {"file": note.file, "line": str(note.line)} if note is not None and note.file and note.line else {}
    fields = ",".join(f"{key}={_property(value)}" for key, value in {**place, "title": title}.items())
    return f"::{kind} {fields}::{_data(message)}"


def _data(text: str) -> str:
    # What would be a command at the beginning of a line is none here either, whoever cuts this line to pieces.
    inert = clean(text, _MESSAGE).replace("::", ": :").replace("##[", "## [")
    return inert.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _summary(seen: Sheet, limit: int) -> Iterator[str]:
    yield f"## {_inert(' '.join(part for part in (seen.course, seen.student) if part))}: {seen.score}"
    for remark in seen.remarks:
        yield from ("", _inert(remark))
    yield from ("", "| Check | Points | Result |", "| --- | ---: | --- |")
    for item in seen.items:
        points = f"{number(item.earned)} / {number(item.points)}"
        yield f"| {_inert(item.title)} | {points} | {_inert(clean(item.fault or item.sentence, max(limit, 100)))} |"
    if limit:
        for item in seen.items:
            yield from _details(item, limit)


def _details(item: Item, limit: int) -> Iterator[str]:
    if item.notes:
        yield from ("", f"<details><summary>{html.escape(item.title)}</summary>", "")
        # Nothing is Markdown inside, and what is escaped cannot end it.
        yield from (f"<pre>{html.escape(item.cut(limit))}</pre>", "", "</details>")


def _inert(text: str) -> str:
    """Nothing in it is Markdown or HTML: what might be is written by its number."""
    return "".join(char if char.isalnum() or char == " " or not char.isascii() else f"&#{ord(char)};" for char in text)
