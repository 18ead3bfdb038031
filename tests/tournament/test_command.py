"""`referee tournament`, `standings` and `matches` as their user meets them, signals and all."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.tournament.journal import records_of
from tests.family import descendants
from tests.referee.table import source
from tests.tournament.arena import LAST, SETTINGS, SLOW, Assassin, rows, table, timeless

ROOT = Path(__file__).parents[2]
KEYS = {"standings", "matches", "journal"}
COLUMNS = [
    "player", "points", "wins", "draws", "losses", "kicks", "rating", "rating_low", "rating_high", "cpu_per_move_ms",
]  # fmt: skip
SMALL = (*SETTINGS, "--games", "2", "--journal", "a.db")


@pytest.fixture(autouse=True)
def standing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with some players."""
    monkeypatch.chdir(tmp_path)
    texts = {"first": source("fish"), "last": LAST, "slow": SLOW, "broken": "def placement(view:\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def told(*words: str) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("\n") == 1, "exactly one object"
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def started(*words: str) -> list[str]:
    return [sys.executable, "-m", "referee", *words]


# What is printed and written


def test_a_tournament_prints_its_table_and_keeps_it(standing: Path) -> None:
    answer = told("tournament", "fish", "first.py", "last.py", "broken.py", *SMALL, "--csv", "a.csv")
    assert set(answer) >= KEYS
    assert answer["matches"] == {"played": 6, "void": 0}
    assert answer["journal"] == "a.db"
    assert [list(row) for row in answer["standings"]] == [COLUMNS] * 3
    assert answer["standings"][-1]["player"] == "broken"
    assert answer["standings"][-1]["kicks"] == {"load-error": 4}
    with open("a.csv", newline="") as file:
        assert [row["player"] for row in csv.DictReader(file)] == [row["player"] for row in answer["standings"]]
    assert told("standings", "a.db") == answer
    # The same again plays nothing: there is nobody left to play.
    assert told("tournament", "fish", "first.py", "last.py", "broken.py", *SMALL) == answer


def test_a_file_that_does_not_load_is_told_of_and_never_shares_the_first_place(standing: Path) -> None:
    (standing / "half.py").write_text("1 +")
    done = run("tournament", "fish", "broken.py", "half.py", *SMALL)
    assert done.exit_code == 0
    assert "broken does not load" in done.stderr
    assert "half does not load" in done.stderr
    assert "Nobody won" in done.stdout


def test_matches_are_listed_and_chosen(standing: Path) -> None:
    told("tournament", "fish", "first.py", "last.py", "broken.py", *SMALL)
    assert len(run("matches", "a.db").stdout.splitlines()) == 6
    assert len(run("matches", "a.db", "--player", "first").stdout.splitlines()) == 4
    assert len(run("matches", "a.db", "--verdict", "load-error").stdout.splitlines()) == 4
    assert len(run("matches", "a.db", "--player", "first", "--verdict", "load-error").stdout.splitlines()) == 0
    assert run("matches", "a.db", "--verdict", "void").stdout == ""
    listed = told("matches", "a.db", "--player", "broken")["matches"]
    assert [match["number"] for match in listed] == sorted(match["number"] for match in listed)
    assert all(match["kicked"][0]["player"] == "broken" and len(match["id"]) == 16 for match in listed)
    for words in (("--player", "nobody"), ("--verdict", "bad")):
        done = run("matches", "a.db", *words)
        assert done.exit_code == 2
        assert f"{words[0]} {words[1]}" in done.stderr


def test_hostile_names_are_shown_inert(standing: Path) -> None:
    players = standing / "in"
    players.mkdir()
    for name in ("\x1b[31mred.py", "[bold]x[", "=HYPERLINK(1).py"):
        (players / (name if name.endswith(".py") else f"{name}.py")).write_text(source("fish"))
    done = run("tournament", "fish", "in", *SMALL, "--csv", "a.csv")
    assert done.exit_code == 0, done.stderr
    shown = done.stdout + done.stderr + run("matches", "a.db").stdout + Path("a.csv").read_text()
    assert "\x1b" not in shown
    assert "[bold]x[" in done.stdout
    with open("a.csv", newline="") as file:
        assert "'=HYPERLINK(1)" in {row["player"] for row in csv.DictReader(file)}


# Mistakes


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fish", "first.py"], "give at least 2"),
        (["fish", "first.py", "last.py", "--seats", "5"], "fish is for 2 to 4 players"),
        (["fish", "first.py", "last.py", "--seats", "1"], "fish is for 2 to 4 players"),
        (["fish", "first.py", "last.py", "--seats", "3"], "give at least 3"),
        (["chess", "first.py", "last.py"], "There is no game 'chess'"),
        (["fish", "first.py", "human"], "A person cannot play"),
        (["fish", "empty"], "holds no player"),
        (["fish", "first.py", "x/first.py"], "would both be called 'first'"),
        (["fish", "first.py", "last.py", "--rounds", "3"], "--rounds is for swiss"),
        (["fish", "first.py", "last.py", "slow.py", "--format", "sprt"], "two players meet"),
        (["fish", "first.py", "last.py", "--journal", "nowhere/a.db"], "cannot be written"),
        (["fish", "first.py", "last.py", "--journal", "first.py"], "no journal of a tournament"),
        (["fish", "first.py", "last.py", "--journal", "empty"], "is a folder"),
        (["fish", "first.py", "last.py", "--csv", "nowhere/a.csv"], "--csv nowhere/a.csv cannot be written"),
        (["fish", "first.py", "last.py", "--set", "rows=100"], "rows"),
        (["fish", "first.py", "last.py", "--games", "0"], "--games"),
        (["fish", "first.py", "last.py", "--jobs", "0"], "--jobs"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(words: list[str], sentence: str, standing: Path) -> None:
    (standing / "empty").mkdir()
    (standing / "x").mkdir()
    (standing / "x" / "first.py").write_text(source("fish"))
    before = sorted(standing.iterdir())
    done = run("tournament", *words)
    assert done.exit_code == 2, done.output
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert sorted(standing.iterdir()) == before


def test_a_journal_of_another_tournament_is_refused(standing: Path) -> None:
    assert run("tournament", "fish", "first.py", "last.py", *SMALL).exit_code == 0
    done = run("tournament", "fish", "first.py", "last.py", *SMALL, "--seed", "9")
    assert done.exit_code == 2
    assert "of another tournament: its seed is 0" in done.stderr
    (standing / "first.py").write_text(LAST)
    done = run("tournament", "fish", "first.py", "last.py", *SMALL)
    assert "other files play in it" in done.stderr


def test_a_journal_that_is_not_there_is_a_sentence() -> None:
    for command in ("standings", "matches"):
        done = run(command, "nowhere.db")
        assert done.exit_code == 2
        assert "There is no journal nowhere.db" in done.stderr


# Stopped and gone on with

PLAYERS = ("slow.py", "last.py", "first.py")
LONG = ("tournament", "fish", *PLAYERS, *SETTINGS, "--games", "4", "--journal", "a.db", "--json")


def signalled(*signals: int, **moment: Any) -> dict[str, Any]:
    """What became of a tournament of twelve matches when the signals came."""
    order = {"command": started(*LONG), "signals": signals, **moment}
    done = subprocess.run(
        [sys.executable, "-m", "tests.referee.supervisor", json.dumps(order)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def record_of(number: int) -> str:
    return str(records_of(Path("a.db")) / f"{number:06}.jsonl")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The table of the same tournament, held without a stop."""
    folder = tmp_path_factory.mktemp("undisturbed")
    for name, text in {"first": source("fish"), "last": LAST, "slow": SLOW}.items():
        (folder / f"{name}.py").write_text(text)
    subprocess.run(started(*LONG), cwd=folder, check=True, capture_output=True, timeout=60)
    return table(folder / "a.db")


MOMENTS: dict[str, dict[str, Any]] = {
    "when lanes start": {"children": 2},
    "in the first match": {"file": 0, "lines": 3},
    "in the middle": {"file": 5, "lines": 3},
    "near the end": {"file": 11, "lines": 1},
}


def moment(name: str) -> dict[str, Any]:
    found = dict(MOMENTS[name])
    return found | ({"file": record_of(found["file"])} if "file" in found else {})


@pytest.mark.parametrize("name", MOMENTS)
def test_a_tournament_that_is_killed_goes_on_by_the_same_command_to_the_same_table(
    name: str, undisturbed: list[dict[str, Any]]
) -> None:
    killed = signalled(signal.SIGKILL, **moment(name))
    assert killed["code"] == -signal.SIGKILL
    assert killed["left"] == []
    if name != "when lanes start":  # one that is not yet told what to do complains
        assert killed["stderr"] == ""
    answer = told(*LONG[:-1])
    assert answer["matches"] == {"played": 12, "void": 0}
    assert timeless(answer["standings"]) == undisturbed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", ["when lanes start", "in the middle"])
def test_a_signal_stops_it_cleanly_and_says_how_to_go_on(
    number: signal.Signals, name: str, undisturbed: list[dict[str, Any]]
) -> None:
    stopped = signalled(number, **moment(name))
    assert stopped["code"] == 128 + number, stopped
    assert "Stopped" in stopped["stderr"]
    assert "The same command goes on from there." in stopped["stderr"]
    assert "Traceback" not in stopped["stderr"]
    assert stopped["stdout"] == ""
    assert stopped["left"] == []
    again = run(*LONG)
    if name == "in the middle":
        assert "Going on with a.db" in again.stderr
    assert timeless(json.loads(again.stdout)["standings"]) == undisturbed


def test_impatience_leaves_nothing_either() -> None:
    stopped = signalled(*[signal.SIGINT] * 3, **moment("in the middle"))
    assert stopped["code"] != 0
    assert stopped["left"] == []
    assert told(*LONG[:-1])["matches"]["played"] == 12


def test_ctrl_c_in_a_terminal_reaches_lanes_too_and_they_say_nothing() -> None:
    """It goes to the whole foreground group, whatever stage each process is at."""
    process = subprocess.Popen(started(*LONG), stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)
    while len(descendants(process.pid)) < 2:
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert b"Traceback" not in complaints
    assert b"The same command goes on from there." in complaints


STOPPED_WHILE_A_LANE_IS_MADE = """
import os, sys
from multiprocess import util
number, make = int(sys.argv.pop()), util.spawnv_passfds
def stopped(*order):
    made = make(*order)
    if any(b"spawn_main" in os.fsencode(word) for word in order[1]):
        os.kill(os.getpid(), number)
    return made
util.spawnv_passfds = stopped
from referee.cli import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_lane_is_half_made_stops_it_as_cleanly(number: signal.Signals) -> None:
    command = [sys.executable, "-c", STOPPED_WHILE_A_LANE_IS_MADE, *LONG, str(int(number))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        _, complaints = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert "The same command goes on from there." in complaints
    assert "Traceback" not in complaints


def test_a_second_process_on_the_journal_is_refused(standing: Path) -> None:
    with subprocess.Popen(started(*LONG), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not Path(record_of(0)).exists():
            assert process.poll() is None
        done = run(*LONG)
        looked = run("standings", "a.db")
        process.terminate()
    assert done.exit_code == 2
    assert "in use by another process" in done.stderr
    assert looked.exit_code == 0
    assert "the tournament is not over" in looked.stdout


def test_a_void_match_is_reported_and_the_tournament_was_held(standing: Path) -> None:
    process = subprocess.Popen(started(*LONG), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process, Assassin(Path(record_of(3)), 3, supervisor=process.pid) as assassin:
        output, complaints = process.communicate(timeout=60)
    assert len(assassin.attempts) == 3
    assert process.returncode == 0, complaints
    assert json.loads(output)["matches"] == {"played": 11, "void": 1}
    assert "1 void through no player's fault" in run("standings", "a.db").stdout
    for verdict in ("void", "referee-error"):
        (line,) = run("matches", "a.db", "--verdict", verdict).stdout.splitlines()
        assert line.split()[0] == "3"
    assert [outcome.number for _, outcome in rows(Path("a.db")) if outcome.void] == [3]
