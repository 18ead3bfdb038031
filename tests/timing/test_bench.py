"""`referee bench`: real files in real boxes, what is said of them, and the exit code."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from referee import games
from referee.cli import main
from tests.referee.table import source

ROOT = Path(__file__).parents[2]
FEW = ["--positions", "6", "--repeat", "2"]
BURNS = """
    import time
    def burn():
        begun = time.thread_time()
        while time.thread_time() - begun < 0.02: pass
    def placement(view): burn(); return view.free_tiles()[0]
    def movement(view): burn(); return view.legal_moves()[0]
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", *words])


def told(*words: str) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.stdout.count("\n") == 1, done.output
    assert done.stderr == ""
    found = msgspec.json.decode(done.stdout, type=dict[str, Any])
    assert done.exit_code == (0 if found["ok"] else 1)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quick.py").write_text(source("fish"))
    (tmp_path / "slow.py").write_text(source("fish", BURNS))
    return tmp_path


@pytest.mark.parametrize("game", ["fish", "q", "tsuro"])
def test_every_file_answers_the_same_positions_as_often_as_asked(game: str, folder: Path) -> None:
    (folder / "bot.py").write_text(source(game))
    found = told(game, "bot.py", "random", *FEW)
    asked = {position["id"]: position for position in found["positions"]}
    assert (len(asked), found["ok"], found["game"]) == (6, True, game)
    for file in found["files"]:
        assert set(file["times"]) == set(asked)
        assert all(len(times) == 2 and min(times) > 0 for times in file["times"].values())
        assert set(file["by_phase"]) == {"opening", "middle", "end"}
        assert sum(figures["positions"] for figures in file["by_legal_moves"].values()) == 6
        cpu, share = file["cpu_s"], file["share_of_budget"]
        assert 0 < cpu["median"]["value"] <= cpu["p95"]["value"] <= cpu["max"]["value"]
        assert share["max"] == pytest.approx(cpu["max"]["value"] / 5)
        assert file["load_cpu_s"]["value"] > 0
        assert file["peak_memory"] > 0
        assert (file["failures"], file["changed"], file["given_up"]) == ([], [], None), "random is seeded"


def test_who_burns_cpu_is_slower_and_its_share_of_the_budget_is_told(folder: Path) -> None:
    found = told("fish", "slow.py", "quick.py", "--time", "2", *FEW)
    (comparison,) = found["comparisons"]
    assert (comparison["faster"], comparison["slower"], comparison["differs"]) == ("quick", "slow", True)
    assert comparison["ratio"]["low"] > 3
    slow = next(file for file in found["files"] if file["name"] == "slow")
    assert slow["cpu_s"]["median"]["value"] > 0.015
    assert slow["share_of_budget"]["median"] == pytest.approx(slow["cpu_s"]["median"]["value"] / 2)


def test_a_person_reads_tables_bars_and_who_is_faster(folder: Path) -> None:
    done = run("fish", "slow.py", "quick.py", *FEW)
    assert done.exit_code == 0, done.output
    for words in ("6 positions (2 opening, 2 middle, 2 end)", "opening", "legal moves", "peak memory", "loads in",
                  "of the 5 s allowed", "quick is ", "faster than slow", "####"):  # fmt: skip
        assert words in done.stdout
    assert "\x1b" not in done.stdout


def test_in_a_terminal_the_bars_are_fine_and_coloured(folder: Path) -> None:
    ours, theirs = os.openpty()
    words = [sys.executable, "-m", "referee", "bench", "fish", "quick.py", "slow.py", *FEW]
    environment = os.environ | {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    environment.pop("NO_COLOR", None)
    with os.fdopen(ours, "rb", buffering=0) as screen:
        shown = subprocess.Popen(words, stdout=theirs, stderr=subprocess.PIPE, env=environment)
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # EIO: the other end is closed
            while piece := screen.read(65536):
                seen += piece
        complaints = shown.communicate(timeout=60)[1]
    assert (shown.returncode, complaints) == (0, b"")
    assert "\x1b[36m████████████████\x1b[0m" in seen.decode()


def test_answers_that_nobody_can_reproduce_are_named(folder: Path) -> None:
    fickle = """
        import os
        def movement(view): return view.legal_moves()[int.from_bytes(os.urandom(4), "big") % len(view.legal_moves())]
    """
    (folder / "bot.py").write_text(source("fish", fickle))
    found = told("fish", "bot.py", "--positions", "9", "--repeat", "6")
    changed = found["files"][0]["changed"]
    assert changed
    asked = {position["id"]: position for position in found["positions"]}
    assert {asked[change["position"]]["method"] for change in changed} == {"movement"}
    assert all(len(change["answers"]) > 1 for change in changed)
    assert found["ok"], "that is allowed"


def test_who_fails_somewhere_is_told_where_and_goes_on_elsewhere(folder: Path) -> None:
    (folder / "bot.py").write_text(source("fish", "def movement(view):\n    return {}[0]\n"))
    found = told("fish", "bot.py", "quick.py", "--positions", "9", "--repeat", "2")
    bad, good = found["files"]
    methods = {position["id"]: position["method"] for position in found["positions"]}
    (failure,) = bad["failures"]
    assert (failure["verdict"], failure["method"], failure["line"]) == ("exception", "movement", 5)
    assert set(failure["positions"]) == {key for key, method in methods.items() if method == "movement"}
    assert set(bad["times"]) == {key for key, method in methods.items() if method == "placement"} != set()
    assert len(good["times"]) == 9
    assert not found["ok"]


def test_an_illegal_answer_is_a_failure_and_no_time(folder: Path) -> None:
    (folder / "bot.py").write_text(source("fish", "def movement(view): return [[0, 0], [0, 0]]\n"))
    (file,) = told("fish", "bot.py", *FEW)["files"]
    (failure,) = file["failures"]
    assert failure["verdict"] == "illegal-move"
    assert not set(failure["positions"]) & set(file["times"])


def test_an_endless_loop_is_given_up_after_three_timeouts(folder: Path) -> None:
    (folder / "bot.py").write_text(source("fish", "def movement(view):\n    while True: pass\n"))
    found = told("fish", "bot.py", "quick.py", "--time", "0.1", "--positions", "12", "--repeat", "9")
    bad, good = found["files"]
    assert [(failure["verdict"], failure["count"]) for failure in bad["failures"]] == [("cpu-timeout", 3)]
    assert "3 times" in bad["given_up"]
    assert all(len(times) == 9 for times in good["times"].values())


def test_a_file_that_does_not_load_is_told_with_its_line_and_the_others_are_measured(folder: Path) -> None:
    (folder / "broken.py").write_text("import os\n1/0\n")
    found = told("fish", "broken.py", "quick.py", *FEW)
    bad, good = found["files"]
    (failure,) = bad["failures"]
    assert (failure["verdict"], failure["line"], failure["count"]) == ("load-error", 2, 1)
    assert (bad["cpu_s"], bad["times"], bad["given_up"]) == (None, {}, "it does not load")
    assert good["cpu_s"]["positions"] == 6
    done = run("fish", "broken.py", *FEW)
    assert done.exit_code == 1
    assert "FAILS while it is loaded: load-error: ZeroDivisionError" in done.stdout
    assert "(broken.py, line 2)" in done.stdout


def test_setup_is_told_once_a_game_and_a_fresh_instance_sits_in_each(folder: Path) -> None:
    memory = """
        class Strategy:
            def __init__(self): self.games = 0
            def setup(self, view): self.games += 1; self.me = view.me
            def placement(self, view): return self.judged(view)
            def movement(self, view): return self.judged(view)
            def judged(self, view):
                assert (self.games, self.me) == (1, view.me)
                return view.legal_moves()[0]
    """
    (folder / "bot.py").write_text(source("fish", memory))
    assert told("fish", "bot.py", "--positions", "12", "--repeat", "1")["files"][0]["failures"] == []


def save(place: Path, game: str, kicks: int = 0) -> str:
    rules = games.get(game)
    names = ["ann", "bob", "cay"]
    state = rules.setup(names, None, 5)
    for name in names[:kicks]:
        state = state.kick(name)
    place.write_bytes(msgspec.json.encode(state.save()))
    return place.name


def test_saved_states_are_asked_about_too(folder: Path) -> None:
    first, second = save(folder / "a.json", "fish"), save(folder / "b.json", "fish", kicks=1)
    found = told("fish", "quick.py", "--positions", "0", "--repeat", "2", "--states", first, second)
    assert [(at["source"], at["phase"], at["player"]) for at in found["positions"]] == [
        ("a.json", "saved", "ann"),
        ("b.json", "saved", "bob"),
    ]
    assert len(told("fish", "quick.py", *FEW, "--states", first, "--states", first)["positions"]) == 7


def test_a_baseline_tells_what_has_become_slower(folder: Path) -> None:
    before = run("fish", "quick.py", *FEW, "--json")
    (folder / "before.json").write_text(before.stdout)
    again = told("fish", "quick.py", *FEW, "--against", "before.json")
    assert again["against"]["same_machine"]
    found = told("fish", "slow.py", *FEW, "--against", "before.json")
    assert "CPU a move" in {change["what"] for change in found["against"]["regressions"]}
    assert not found["ok"]
    done = run("fish", "slow.py", *FEW, "--against", "before.json")
    assert done.exit_code == 1
    assert "SLOWER  slow: CPU a move is " in done.stdout
    (folder / "after.json").write_text(msgspec.json.encode(found).decode())
    faster = told("fish", "quick.py", *FEW, "--against", "after.json")
    assert not [change for change in faster["against"]["regressions"] if change["what"].startswith("CPU a move")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "quick.py"], "There is no game 'chess'"),
        (["fish", "missing.py"], "missing.py does not exist"),
        (["fish", "human"], "A person is not measured"),
        (["fish", "quick.py", "--positions", "0"], "nothing to ask"),
        (["fish", "quick.py", "--set", "rows=1"], "fit no table"),
        (["fish", "quick.py", "--time", "0"], "limits do not work"),
        (["fish", "quick.py", "--states", "missing.json"], "cannot be read"),
        (["fish", "quick.py", "--states", "q.json"], "is no saved state of fish"),
        (["fish", "quick.py", "--states", "over.json"], "In over.json the game is over"),
        (["fish", "--states", "q.json", "over.json"], "no file to measure"),
        (["fish", "quick.py", "--against", "missing.json"], "cannot be read"),
        (["fish", "quick.py", "--against", "q.json"], "is not what `referee bench --json` prints"),
        (["fish", "quick.py", "--seed", "1", *FEW, "--against", "before.json"], "measured at other positions"),
        (["q", "dag", *FEW, "--against", "before.json"], "is a benchmark of fish, not of q"),
    ],
)
def test_a_users_mistake_is_exit_2_and_a_sentence(words: list[str], said: str, folder: Path) -> None:
    save(folder / "q.json", "q")
    save(folder / "over.json", "fish", kicks=3)
    if "before.json" in words:
        (folder / "before.json").write_text(run("fish", "quick.py", *FEW, "--json").stdout)
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert done.stdout == ""
