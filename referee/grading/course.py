"""A course as its course.toml describes it: the game, what everybody is given, when it is due, and the rubric.

A rubric file, which a hosted grader takes, is the same file; it can do without a deadline and a policy.
"""

from __future__ import annotations

import difflib
import enum
import importlib.util
import zoneinfo
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from referee import games, sizes
from referee.entrants import HUMAN, EntrantError, named, references
from referee.games.game import Game
from referee.grading.located import Flaw, Located, TomlError
from referee.grading.rubric import Beats, Rubric, Scenario
from referee.grading.scenario import Position, position
from referee.grading.times import zoned
from referee.grading.toml_lines import Key
from referee.match import Entrant, Terms, derived
from sandbox import Budget, Limits, SubmissionError

FILE = "course.toml"
_Seconds = Annotated[float, Meta(ge=0)]


class Late(enum.StrEnum):
    """What becomes of a submission after the due date."""

    REFUSED = "refused"
    ACCEPTED = "accepted"
    REDUCED = "reduced"  # by so many percent for each day that has begun


class Keep(enum.StrEnum):
    """Which of a student's submissions counts."""

    LAST = "last"
    BEST = "best"


class Room(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every player is given, as the options of `referee play` name it."""

    time: _Seconds = 5.0
    wall: _Seconds = 0.0  # 0: twice `time` plus one
    bank: _Seconds = 0.0
    setup_time: _Seconds = 10.0
    memory: str | int = "256M"

    def terms(self, allow: tuple[str, ...]) -> Terms:
        return Terms(
            move=Budget(cpu=self.time, wall=self.wall),
            setup=Budget(cpu=self.setup_time),
            limits=Limits(memory=self.bytes, bank=self.bank),
            allow=allow,
        )

    @property
    def bytes(self) -> int:
        return sizes.parsed(self.memory) if isinstance(self.memory, str) else self.memory


class Deadline(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Until when it may be handed in, and what happens after."""

    due: datetime | None = None
    late: Late = Late.REFUSED
    percent_per_day: Annotated[float, Meta(ge=0, le=100)] = 10.0
    extensions: dict[str, datetime] = {}  # by student, as in the roster


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often somebody may hand in, and what counts then."""

    keep: Keep = Keep.LAST
    per_hour: Annotated[int, Meta(ge=0)] = 0  # 0: as often as they like


class Sheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is written in the file."""

    game: str
    title: str = ""
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] = 0
    allow: tuple[str, ...] = ()
    timezone: str = "UTC"  # of times that are written without one
    config: dict[str, Any] = {}
    limits: Room = Room()
    deadline: Deadline = Deadline()
    policy: Policy = Policy()
    rubric: Rubric = Rubric(total=0)


class Course(Sheet, frozen=True, kw_only=True):
    """The same, known to make sense, and where it is."""

    path: Path  # of the file
    rules: Game
    settings: Any  # the game's configuration
    terms: Terms
    zone: tzinfo

    @property
    def folder(self) -> Path:
        return self.path.parent

    def opponent(self, check: Beats) -> Entrant:
        """Whom a submission is to beat."""
        return named(self.rules, check.opponent, _player(self.rules, self.folder, check.opponent))

    def position(self, check: Scenario) -> Position:
        """What a submission is asked."""
        return position(self.rules, _beside(self.folder, check.state))


def read(path: Path) -> Course:
    """The course in a folder, or the course or rubric in a file; raises TomlError."""
    if path.is_dir():
        path = path / FILE
        if not path.is_file():
            raise TomlError(f"{path.parent} has no {FILE}; make a course with: referee course new {path.parent}")
    elif not path.exists():
        raise TomlError(f"{path} does not exist; give the folder of a course, or make one with: referee course new")
    file = Located(path)
    sheet = file.value(Sheet, file.data)
    if sheet.game not in games.names():
        raise file.error(f"there is no game {sheet.game!r}; the games here are {', '.join(games.names())}", "game")
    rules = games.get(sheet.game)
    zone = _zone(file, sheet.timezone)
    course = Course(
        **{name: getattr(sheet, name) for name in sheet.__struct_fields__ if name != "deadline"},
        deadline=_deadline(file, sheet.deadline, zone),
        path=path,
        rules=rules,
        settings=_settings(file, sheet, rules),
        terms=_terms(file, sheet),
        zone=zone,
    )
    _require_files(file, course)
    return course


def _zone(file: Located, name: str) -> tzinfo:
    if name == "UTC":
        return UTC  # there on every machine; the others need its list of zones
    try:
        return zoneinfo.ZoneInfo(name)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        sentence = f"there is no time zone {name!r} here; write for example Europe/Berlin or UTC"
        raise file.error(sentence, "timezone") from None


def _deadline(file: Located, deadline: Deadline, zone: tzinfo) -> Deadline:
    due = deadline.due and zoned(deadline.due, zone)
    if due is None and deadline.extensions:
        raise file.error("there are extensions, and no date `due` to extend", "deadline", "extensions")
    extensions = {student: zoned(until, zone) for student, until in deadline.extensions.items()}
    for student, until in extensions.items():
        if due is not None and until < due:
            raise file.error(f"the extension of {student} ends before the due date", "deadline", "extensions", student)
    return msgspec.structs.replace(deadline, due=due, extensions=extensions)


def _settings(file: Located, sheet: Sheet, rules: Game) -> Any:
    config = file.value(rules.config, sheet.config, "config")
    for unknown in sheet.config.keys() - {field.encode_name for field in msgspec.structs.fields(rules.config)}:
        raise file.error(f"{sheet.game} has no setting {unknown!r}; see `referee games`", "config", unknown)
    for seats in {rules.seats[0], rules.seats[-1]}:  # those of the validation games
        try:
            rules.setup([str(seat) for seat in range(seats)], config, derived(sheet.seed, "rules"))
        except ValueError as error:
            raise file.error(f"these settings do not fit a table of {seats}: {error}", "config") from None
    return config


def _terms(file: Located, sheet: Sheet) -> Terms:
    for number, name in enumerate(sheet.allow):
        if name == "players":
            raise file.error("nobody may hand in our reference strategies (players) as their own", "allow", number)
        if not name.isidentifier() or importlib.util.find_spec(name) is None:
            raise file.error(f"this Python has no package {name!r}; install it first", "allow", number)
    try:
        sheet.limits.bytes  # noqa: B018  # read for its error, which belongs to another line than the rest
    except sizes.SizeError as error:
        raise file.error(str(error), "limits", "memory") from None
    try:
        return sheet.limits.terms(sheet.allow)
    except ValueError as error:
        raise file.error(f"these limits do not work: {error}", "limits") from None


def _require_files(file: Located, course: Course) -> None:
    """Every opponent and every state is there, and every answer is legal where it is asked for."""
    for number, check in enumerate(course.rubric.checks):
        at = ("rubric", "check", number)
        try:
            if isinstance(check, Beats):
                course.opponent(check)
            elif isinstance(check, Scenario):
                _require_answers(check, course.position(check))
        except Flaw as flaw:
            raise file.error(str(flaw), *at, *flaw.at) from None
        except (EntrantError, SubmissionError, ValueError) as error:
            key = "opponent" if isinstance(check, Beats) else "state"
            raise file.error(f"{getattr(check, key)!r} will not do: {error}", *at, key) from None


def _require_answers(check: Scenario, asked: Position) -> None:
    listed: list[tuple[tuple[Key, ...], tuple[Any, ...]]] = [(("answers",), check.answers)]
    listed += [(("partial", number, "answers"), band.answers) for number, band in enumerate(check.partial)]
    seen: list[Any] = []
    for keys, answers in listed:
        for number, plain in enumerate(answers):
            try:
                action = asked.action(plain)
            except ValueError as error:
                raise Flaw(f"the answer {plain!r} is not possible in {check.state}: {error}", *keys, number) from None
            if action in seen:
                raise Flaw(f"the answer {plain!r} is listed twice", *keys, number)
            seen.append(action)


def _player(rules: Game, folder: Path, word: str) -> str:
    """An opponent as `referee.entrants` takes it."""
    known = references(rules.name)
    if word.partition(":")[0] in known:
        return word
    if "/" in word or word.endswith(".py") or (word and (folder / word).exists()):
        return str(_beside(folder, word))
    near = difflib.get_close_matches(word.partition(":")[0], [*known], 1)
    meant = f"did you mean {near[0]!r}? " if near else ""
    human = "a person cannot be asked to play here; " if word == HUMAN else ""
    raise ValueError(f"{human}{meant}the reference strategies of {rules.name} are {', '.join(known)}; "
                     "or give a path beside this file")  # fmt: skip


def _beside(folder: Path, path: str) -> Path:
    """A path that is given relative to the folder, and stays in it, whatever links there are."""
    if "\0" in path:
        raise ValueError("a path has no null character")
    place = (folder / path).resolve()
    if not place.is_relative_to(folder.resolve()) or Path(path).is_absolute():
        raise ValueError(f"paths are relative to {folder}, and stay inside it")
    if not place.exists():
        raise ValueError(f"there is no {folder / path}")
    return place
