"""What a bundle does on its platform: run in a container as small as theirs, it leaves a result whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.grading.courses import CRASHES, HONEST
from tests.grading.schemas import GRADESCOPE
from tests.grading.test_bundle import EARLIER, FOLDER, bundled, taught
from tests.referee.table import source

ENDLESS = source("fish", "def movement(view):\n    while True: pass\n")
CHEATING = source("fish", "def movement(view): return [[0, 0], [0, 0]]\n")
GREEDY = source("fish", "held = []\ndef movement(view):\n    while True: held.append(bytearray(1 << 20))\n")


class Autograder:
    """An image of the platform: the bundle, unpacked and set up."""

    def __init__(self, base: Path, bundle: Path) -> None:
        self.base = base
        for folder in ("source", "results", "submission"):
            (base / folder).mkdir(parents=True)
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(base / "source")
        done = self.inside("bash", base / "source" / "setup.sh")
        assert done.returncode == 0, done.stdout
        shutil.copy(base / "source" / "run_autograder", base)  # without its mode: unzipping has lost it

    def inside(self, *words: object, landlock: bool = True) -> subprocess.CompletedProcess[str]:
        module = [sys.executable, "-m", "tests.grading.container", *([] if landlock else ["--no-landlock"])]
        return subprocess.run(
            [*module, *map(str, words)],
            cwd=Path(__file__).parents[2],
            env={"AUTOGRADER": str(self.base), "PATH": f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def grade(self, submission: dict[str, str], earlier: Any = None, landlock: bool = True) -> Any:
        """What results.json says of these files."""
        shutil.rmtree(self.base / "submission")
        shutil.rmtree(self.base / "results")
        (self.base / "submission").mkdir()
        for name, text in submission.items():
            (self.base / "submission" / name).parent.mkdir(exist_ok=True)
            (self.base / "submission" / name).write_text(text)
        (self.base / "submission_metadata.json").write_text(json.dumps(earlier or {"previous_submissions": []}))
        done = self.inside("bash", self.base / "run_autograder", landlock=landlock)
        assert done.returncode == 0, done.stdout
        found = json.loads((self.base / "results" / "results.json").read_bytes())
        jsonschema.validate(found, GRADESCOPE if "score" in found else GRADESCOPE | {"required": ["tests"]})
        return found


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Autograder:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can make such a container")
    pytest.importorskip("ensurepip")
    folder = tmp_path_factory.mktemp("platform")
    bundled(taught(folder / "course")).close()
    return Autograder(folder / "autograder", folder / "autograder.zip")


def of(found: Any, name: str) -> Any:
    (test,) = (test for test in found["tests"] if test["name"] == name)
    return test


def test_an_honest_submission_has_its_points_where_little_is_given(autograder: Autograder) -> None:
    found = autograder.grade({"my_bot.py": HONEST}, EARLIER)
    assert found["score"] == 15.0  # of 20: there is no class to be placed in, which costs nothing
    assert sum(test.get("max_score", 0) for test in found["tests"]) == 12
    assert "placing" not in json.dumps(found)
    assert "secret" not in json.dumps(found)


def test_a_folder_is_graded_like_a_file(autograder: Autograder) -> None:
    assert autograder.grade({f"handed_in/{name}": text for name, text in FOLDER.items()})["score"] == 15.0


@pytest.mark.parametrize(
    ("text", "score", "told"),
    [
        (CHEATING, 2.0, "its answer is against the rules"),
        (CRASHES, 2.0, "it raises an exception"),
        (ENDLESS, 2.0, "it computes for too long"),
        (GREEDY, 2.0, "it needs more memory than is allowed"),
        ("def placement(view:\n", 0.0, "the file cannot be loaded"),
    ],
)
def test_faults_of_students_cost_points_and_are_told(
    text: str, score: float, told: str, autograder: Autograder
) -> None:
    found = autograder.grade({"my_bot.py": text}, EARLIER)
    assert found["score"] == score
    assert told in of(found, "admitted")["output"]


@pytest.mark.parametrize("files", [{}, {"report.txt": "see attached"}, {"a.py": HONEST, "b.py": HONEST}])
def test_what_is_no_submission_has_no_points_and_says_what_was_expected(
    files: dict[str, str], autograder: Autograder
) -> None:
    found = autograder.grade(files, EARLIER)
    assert found["score"] == 0
    assert "your submission has" in of(found, "admitted")["output"]
    assert str(autograder.base) not in json.dumps(found)


def test_where_the_box_is_not_whole_nobody_loses_points_and_instructors_see_why(autograder: Autograder) -> None:
    for earlier, kept in ((EARLIER, {"score": 9.0}), (None, {})):
        found = autograder.grade({"my_bot.py": HONEST}, earlier, landlock=False)
        assert {key: found[key] for key in found if key == "score"} == kept
        (why,) = found["tests"]
        assert why["visibility"] == "hidden"
        assert "it lacks namespaces or landlock" in why["output"]
        assert "through no fault of yours" in found["output"]
        assert "landlock" not in found["output"]


def test_a_grader_that_runs_out_of_time_leaves_the_last_score(autograder: Autograder) -> None:
    script = autograder.base / "run_autograder"
    text = script.read_text()
    assert "\nseconds=570\n" in text
    script.write_text(text.replace("seconds=570", "seconds=5"))
    slow = source("fish", "import time\ndef placement(view): time.sleep(4)\n")
    try:
        found = autograder.grade({"my_bot.py": slow}, EARLIER)
    finally:
        script.write_text(text)
    assert found["score"] == 9.0
    assert "ran out of time" in of(found, "Why there is no grade")["output"]


def test_a_grader_that_cannot_start_leaves_a_result_without_a_score(autograder: Autograder) -> None:
    python = autograder.base / "venv" / "bin" / "python"
    away = python.rename(python.with_name("away"))
    try:
        found = autograder.grade({"my_bot.py": HONEST}, EARLIER)
    finally:
        away.rename(python)
    assert "score" not in found
    assert found["tests"][0]["visibility"] == "hidden"


def test_a_broken_course_is_no_fault_of_a_student(autograder: Autograder) -> None:
    opponent = autograder.base / "source" / "course" / "bots" / "last.py"
    away = opponent.rename(opponent.with_name("away.py"))
    try:
        found = autograder.grade({"my_bot.py": HONEST}, EARLIER)
    finally:
        away.rename(opponent)
    assert found["score"] == 9.0
    assert "last.py" in of(found, "Why there is no grade")["output"]
    assert "last.py" not in found["output"]


def test_an_installed_referee_makes_the_same_bundle_as_its_source(autograder: Autograder) -> None:
    out = autograder.base / "again.zip"
    words = ("grade", "--bundle", "gradescope", autograder.base / "source" / "course", "--out", out)
    done = autograder.inside(autograder.base / "venv" / "bin" / "referee", *words)
    assert done.returncode == 0, done.stdout
    assert out.read_bytes() == (autograder.base.parent / "autograder.zip").read_bytes()


def test_the_container_gives_half_a_core_and_768_megabytes(autograder: Autograder) -> None:
    hungry = "held = bytearray(900 << 20)\nfor place in range(0, len(held), 4096): held[place] = 1\n"
    done = autograder.inside(sys.executable, "-c", hungry)
    if "cannot be set here" in done.stdout:
        pytest.skip("there are no control groups that could be written to")
    assert done.returncode == 128 + signal.SIGKILL
    busy = """
import time
start, used = time.perf_counter(), time.process_time()
while time.process_time() < used + 0.5: pass
print(time.perf_counter() - start)
"""
    assert float(autograder.inside(sys.executable, "-c", busy).stdout) > 0.75
