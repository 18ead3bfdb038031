"""How learning platforms name what they export: whose it is, when it came, what its author called it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo

import msgspec

from sandbox import clean

METADATA = "submission_metadata.yml"  # Gradescope's
_CANVAS = re.compile(r"(?P<who>[^_]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)", re.DOTALL)
_MOODLE = re.compile(r"(?P<who>.+?)_\d+_assignsubmission_(?P<kind>file|onlinetext)(_(?P<file>.*))?", re.DOTALL)
_BLACKBOARD = re.compile(
    r".+_(?P<who>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)", re.DOTALL
)
_CREATED = r"^  :created_at: *'?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? *(Z|[+-]\d\d:?\d\d)?"
_GRADESCOPE = re.compile(r"submission_\d+")


class Handin(msgspec.Struct, frozen=True, kw_only=True):
    """What one student handed in, by the names it has in the export."""

    names: tuple[str, ...]  # of the student, the surest first: each is tried
    parts: dict[str, str]  # by its name in the export, what its author called it
    time: datetime | None = None
    marked_late: bool = False

    @property
    def shown(self) -> str:
        return ", ".join(clean(part, 100) for part in self.parts)


def is_of_a_platform(name: str) -> bool:
    """Whether it is a student's by its form alone."""
    return any(form.fullmatch(name) for form in (_CANVAS, _MOODLE, _BLACKBOARD, _GRADESCOPE))


def understood(name: str, metadata: dict[str, Handin], zone: tzinfo) -> Iterator[Handin]:
    """What a file or folder of this name is, and whose; nothing if it is nobody's work."""
    if name in metadata:
        whole = metadata[name]
        # Each member of a group has the same work.
        yield from (msgspec.structs.replace(whole, names=tuple(names.split("\n"))) for names in whole.names)
    elif match := _MOODLE.fullmatch(name):
        if match["kind"] == "file":
            yield Handin(names=(match["who"],), parts={name: match["file"] or name})
    elif match := _CANVAS.fullmatch(name):
        names = (match["id"], match["who"])
        yield Handin(names=names, parts={name: match["file"]}, marked_late=match["late"] is not None)
    elif match := _BLACKBOARD.fullmatch(name):
        if match["file"]:  # the rest is a note of the platform's
            time = datetime.strptime(match["time"], "%Y-%m-%d-%H-%M-%S").replace(tzinfo=zone)
            yield Handin(names=(match["who"],), parts={name: match["file"]}, time=time)
    else:
        yield Handin(names=(re.sub(r"\.(py|zip)$", "", name, flags=re.IGNORECASE),), parts={name: name})


def gradescope(text: str) -> Iterator[Handin]:
    """What the metadata say, in as much YAML as they use; the names of each submitter are joined by line ends."""
    for block in re.split(r"^(?=submission_\d+:)", text, flags=re.MULTILINE)[1:]:
        name = block.partition(":")[0]
        submitters = re.search(r"^  :submitters:\n((?:  - .*\n|    .*\n)*)", block, flags=re.MULTILINE)
        people = []
        for person in re.split(r"^  - ", submitters[1] if submitters else "", flags=re.MULTILINE)[1:]:
            fields = dict(re.findall(r"^ *:(sid|email|name): *(.*?) *$", person, flags=re.MULTILINE))
            words = [fields.get(field, "").strip("'\"") for field in ("sid", "email", "name")]
            people.append("\n".join(word for word in words if word and word != "null"))
        time = re.search(_CREATED, block, flags=re.MULTILINE)
        created = datetime.fromisoformat(f"{time[1]}T{time[2]}{time[3] or 'Z'}") if time else None
        yield Handin(names=tuple(filter(None, people)), parts={name: name}, time=created)
