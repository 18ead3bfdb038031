"""`referee grade --bundle`: a course and the referee itself, packed as a hosted grader wants them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from referee.entrants import references
from referee.grading.bundles import wheels
from referee.grading.bundles.autograder import COURSE, CUT_SHORT, unfinished
from referee.grading.bundles.packing import packed
from referee.grading.course import FILE, Course, read
from referee.grading.rubric import Beats, Placing, Scenario
from referee.grading.store import written
from sandbox import Submission

PLATFORMS: tuple[str, ...] = ("gradescope",)
_SCRIPTS = ("run_autograder", "setup.sh")
_TEMPLATES = Path(__file__).parent / "bundles"


class BundleError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


def write(platform: str, course: Path, out: Path) -> None:
    """Make OUT, a zip to be uploaded; raises BundleError, and what reading a course raises."""
    if platform not in PLATFORMS:
        raise BundleError(f"There is no bundle for {platform!r}; the platforms are {', '.join(PLATFORMS)}.")
    if out.is_dir():
        raise BundleError(f"{out} is a folder; give the name of the zip file to write, as in {out / 'autograder.zip'}.")
    given = read(course)
    if all(isinstance(check, Placing) for check in given.rubric.checks):
        raise BundleError(
            f"{given.path} has no check that could be made there: a hosted grader sees one submission at a time, "
            "and no class to place it in. Add others to [rubric]."
        )
    content = packed(_files(platform, given), executable=_SCRIPTS)
    out.parent.mkdir(parents=True, exist_ok=True)
    written(out, content)


def _files(platform: str, course: Course) -> dict[str, bytes]:
    distributions = wheels.needed([wheels.OURS, *_allowed(course)])
    made = [made for distribution in distributions if (made := wheels.wheel(distribution)) is not None]
    return {
        **{name: (_TEMPLATES / platform / name).read_bytes() for name in _SCRIPTS},
        "python-version": f"{sys.version_info.major}.{sys.version_info.minor}\n".encode(),
        "requirements.txt": "".join(f"{wheels.pin(each)}\n" for each in distributions).encode(),
        "unfinished.json": unfinished(CUT_SHORT, None),
        **{f"{COURSE}/{name}": content for name, content in _course(course).items()},
        **{f"wheels/{name}": content for name, content in made},
    }


def _allowed(course: Course) -> Iterator[str]:
    """The distributions that bring the packages which submissions may import."""
    known = packages_distributions() if course.allow else {}
    for package in course.allow:
        if package in known:
            yield from known[package]
        elif package not in sys.stdlib_module_names:
            raise BundleError(
                f"{course.path} allows the package {package!r}, which was not installed by pip and cannot be taken "
                "along; install it so, or take it off the list `allow`."
            )


def _course(course: Course) -> dict[str, bytes]:
    """The file and what it names, and nothing else of its folder: there may be a store with everybody's work."""
    files = {FILE: course.path.read_bytes()}
    for check in course.rubric.checks:
        if isinstance(check, Scenario):
            files[os.path.normpath(check.state)] = (course.folder / check.state).read_bytes()
        elif isinstance(check, Beats) and check.opponent.partition(":")[0] not in references(course.game):
            source = course.opponent(check).source
            assert isinstance(source, Submission)  # a file or folder: nothing else is taken in a rubric
            path = os.path.normpath(check.opponent)
            files |= {f"{path}/{name}" if source.is_folder else path: text for name, text in source.files.items()}
    _require_whole(files)
    return files


def _require_whole(files: dict[str, bytes]) -> None:
    """It is read once more from there: a course that is not whole would be noticed only by the first student."""
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        for name, content in files.items():
            place = Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        read(Path(folder))
