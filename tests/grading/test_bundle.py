"""What is in a bundle for a hosted grader."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from referee.grading.bundle import write
from referee.grading.bundles.autograder import last_score, unfinished
from referee.grading.bundles.wheels import WheelError, needed, wheel
from tests.grading.courses import COURSE, HONEST, course, run

RUBRIC = """
[rubric]
total = 20
[[rubric.check]]
kind = "admitted"
points = 8
loads = 2
[[rubric.check]]
kind = "beats"
opponent = "bots/last.py"
games = 4
points = 4
bands = [{ rate = 0.0, points = 4 }]
[[rubric.check]]
kind = "beats"
name = "secret"
opponent = "greedy"
games = 2
points = 3
visibility = "hidden"
bands = [{ rate = 0.0, points = 3 }]
[[rubric.check]]
kind = "placing"
points = 5
bands = [{ top = 3, points = 5 }]
"""
FOLDER = {"strategy.py": f"{HONEST}\nimport notes\n", "notes.py": "book = 1\n"}
EARLIER = {
    "previous_submissions": [
        {"submission_time": "2026-11-02T10:00:00.5-07:00", "score": 9.0, "results": {"score": 9.0, "tests": []}},
        {"submission_time": "2026-11-01T10:00:00.5-07:00", "score": 4.0, "results": {"score": 4.0}},
        {"submission_time": "2026-11-03T10:00:00.5-07:00", "score": 0.0, "results": {"output": "no fault of yours"}},
        {"submission_time": "2026-11-04T10:00:00.5-07:00", "score": 0.0, "results": None},
    ]
}


def taught(folder: Path, rubric: str = RUBRIC) -> Path:
    made = course(folder, rubric, base=COURSE.replace("time = 1", "time = 0.3"))
    (made / "bots").mkdir()
    (made / "bots" / "last.py").write_text(HONEST)
    return made


def bundled(given: Path) -> zipfile.ZipFile:
    out = given.parent / "autograder.zip"
    write("gradescope", given, out)
    return zipfile.ZipFile(out)


def test_a_bundle_holds_the_course_and_what_it_names_and_nothing_else_of_its_folder(tmp_path: Path) -> None:
    given = taught(tmp_path / "course")
    (given / "roster.csv").write_text("name\nAnn\n")
    assert run("submit", given, given / "bots" / "last.py", "--as", "Ann").exit_code == 0
    with bundled(given) as bundle:
        named = {name for name in bundle.namelist() if not name.startswith("wheels/")}
        scripts = {info.filename for info in bundle.infolist() if info.external_attr >> 16 & 0o111}
    assert scripts == {"setup.sh", "run_autograder"}
    assert named == {*scripts, "python-version", "requirements.txt", "unfinished.json", "course/course.toml",
                     "course/bots/last.py"}  # fmt: skip


def test_a_rubric_of_another_name_is_bundled_as_well(tmp_path: Path) -> None:
    given = taught(tmp_path / "course")
    rubric = (given / "course.toml").rename(given / "rubric.toml")
    out = tmp_path / "new" / "autograder.zip"
    done = run("grade", "--bundle", "gradescope", rubric, "--out", out)
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(out) as bundle:
        assert bundle.read("course/course.toml") == rubric.read_bytes()


def test_a_folder_is_bundled_as_an_opponent(tmp_path: Path) -> None:
    given = taught(tmp_path / "course", RUBRIC.replace("bots/last.py", "bots/pair/"))
    (given / "bots" / "pair").mkdir()
    for name, text in FOLDER.items():
        (given / "bots" / "pair" / name).write_text(text)
    with bundled(given) as bundle:
        assert {f"course/bots/pair/{name}" for name in FOLDER} <= {*bundle.namelist()}


def test_the_same_course_gives_the_same_bundle(tmp_path: Path) -> None:
    given = taught(tmp_path / "course")
    outs = [tmp_path / "a.zip", tmp_path / "b.zip"]
    for out in outs:
        write("gradescope", given, out)
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_the_wheel_of_the_referee_is_whole_and_tells_nothing_of_this_machine(tmp_path: Path) -> None:
    (ours,) = (each for each in needed(["referee"]) if each.name == "referee")
    made = wheel(ours)
    assert made is not None
    with zipfile.ZipFile(io.BytesIO(made[1])) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    record = next(name for name in files if name.endswith("/RECORD"))
    rows = {row[0]: row[1] for row in csv.reader(files[record].decode().splitlines())}
    assert rows.keys() == files.keys()
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert name == record or rows[name] == f"sha256={digest}"
    assert {"referee/grading/bundles/gradescope/setup.sh", "players/fish/greedy.py", "sandbox/__init__.py"} <= {*files}
    assert not [name for name in files if name.startswith("players/hostile/") or name.endswith((".pyc", ".pth"))]
    assert not [name for name, text in files.items() if str(Path(__file__).parents[2]).encode() in text]


def test_allowed_packages_come_along_in_the_version_that_is_here(tmp_path: Path) -> None:
    given = taught(tmp_path / "course")
    file = given / "course.toml"
    file.write_text('allow = ["iniconfig", "json"]\n' + file.read_text())
    with bundled(given) as bundle:
        pins = dict(line.split("==") for line in bundle.read("requirements.txt").decode().splitlines())
        found = [name for name in bundle.namelist() if name.startswith(f"wheels/iniconfig-{pins['iniconfig']}-")]
    assert len(found) == 1
    assert {"referee", "msgspec", "dill"} <= pins.keys()  # dill is needed by one that we need
    assert not {"pytest", "distributed"} & pins.keys()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gradescope", "course", "--out", "folder"], "folder is a folder; give the name of the zip file"),
        (["gradescope", "course"], "--bundle needs --out"),
        (["moodle", "course", "--out", "a.zip"], "the platforms are gradescope"),
        (["gradescope", "nowhere", "--out", "a.zip"], "nowhere does not exist"),
        (["gradescope", "placing", "--out", "a.zip"], "no check that could be made there"),
        (["gradescope", "local", "--out", "a.zip"], "allows the package 'homemade', which was not installed by pip"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("folder").mkdir()
    Path("homemade.py").touch()
    taught(Path("course"))
    course(Path("placing"), "[rubric]\ntotal = 5", RUBRIC[RUBRIC.rindex("[[") :])
    local = taught(Path("local")) / "course.toml"
    local.write_text('allow = ["homemade"]\n' + local.read_text())
    done = run("grade", "--bundle", *words)
    assert done.exit_code == 2, done.output
    assert told in " ".join(done.output.split())
    assert not Path("a.zip").exists()


def test_a_package_that_is_a_link_to_its_source_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "homemade-1.0.dist-info"
    about.mkdir()
    texts = {
        "METADATA": "Metadata-Version: 2.1\nName: homemade\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nTag: py3-none-any\n",
        "direct_url.json": '{"url": "file:///x", "dir_info": {"editable": true}}',
        "RECORD": "homemade-1.0.dist-info/METADATA,,\nhomemade-1.0.dist-info/WHEEL,,\n",
    }
    for name, text in texts.items():
        (about / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    (found,) = needed(["homemade"])
    with pytest.raises(WheelError, match="homemade is installed as a link to its source"):
        wheel(found)


@pytest.mark.parametrize(
    ("metadata", "score"),
    [
        (EARLIER, 9.0),
        ({"previous_submissions": []}, None),
        ({"previous_submissions": [{"submission_time": "2026-11-02T10:00:00Z", "results": {"score": 0}}]}, 0.0),
        ({"previous_submissions": "none"}, None),
        ([], None),
    ],
)
def test_the_last_score_is_that_of_the_latest_results_that_have_one(
    metadata: Any, score: float | None, tmp_path: Path
) -> None:
    place = tmp_path / "submission_metadata.json"
    assert last_score(place) is None
    place.write_text(json.dumps(metadata))
    assert last_score(place) == score


def test_a_result_of_ours_without_a_score_is_not_taken_for_a_zero(tmp_path: Path) -> None:
    before = {"submission_time": "2026-11-05T10:00:00Z", "score": 0.0, "results": json.loads(unfinished("why", None))}
    place = tmp_path / "submission_metadata.json"
    place.write_text(json.dumps({"previous_submissions": [*EARLIER["previous_submissions"], before]}))
    assert last_score(place) == 9.0
