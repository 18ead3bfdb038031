"""`referee check`: what a student runs before handing in, and the same judgement that admission makes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from referee import games
from referee.admission import examine, trials
from referee.cli import main
from tests.referee.conftest import Zygotes
from tests.referee.table import HONEST, QUICK, source

ROOT = Path(__file__).parents[2]
QUICKLY = ["--time", "0.3", "--wall", "3"]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["check", *words])


def told(*words: str) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.stdout.count("\n") == 1, done.output
    found = msgspec.json.decode(done.stdout, type=dict[str, Any])
    assert done.exit_code == (0 if found["admitted"] else 1)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("game", sorted(HONEST))
def test_an_honest_file_is_admitted_after_a_game_in_every_seat(game: str, folder: Path) -> None:
    (folder / "bot.py").write_text(source(game))
    found = told(game, "bot.py")
    seats = games.get(game).seats
    assert found["admitted"], found["problems"]
    assert found["games"] == {"planned": seats[0] + seats[-1], "played": seats[0] + seats[-1]}
    assert 0 < found["usage"]["move_cpu_s"] < found["limits"]["move_cpu_s"] == 5
    assert 0 < found["usage"]["peak_memory"] < found["limits"]["memory"] == 256 << 20
    assert (found["problems"], found["output"]) == ([], "")


@pytest.mark.parametrize("game", sorted(HONEST))
def test_the_validation_games_seat_it_everywhere_against_every_reference(game: str) -> None:
    seats = games.get(game).seats
    planned = list(trials(games.get(game), "bot.py", 10))
    assert {(len(trial.players), trial.seat) for trial in planned} == {
        (size, seat) for size in (seats[0], seats[-1]) for seat in range(size)
    }
    assert all(trial.players[trial.seat] == "bot.py" for trial in planned)
    from referee.entrants import references

    assert {player for trial in planned for player in trial.players} == {"bot.py", *references(game)}


FAULTS = {
    "syntax": ("def placement(view:\n", "load-error", "", 1),
    "import": ("import no_such_module\n", "load-error", "", 1),
    "missing": ("def placement(view): ...\n", "load-error", "", None),
    "late": ("import time\nwhile True: pass\n", "cpu-timeout", "", 2),
    "raises": (
        source("fish", "def movement(view):\n    print('at', view.turn)\n    return {}[0]\n"),
        "exception",
        "movement",
        6,
    ),
    "none": (source("fish", "def movement(view): return None\n"), "illegal-move", "movement", None),
    "illegal": (source("fish", "def movement(view): return [[0, 0], [0, 0]]\n"), "illegal-move", "movement", None),
    "memory": (source("fish", "def movement(view):\n    return bytearray(1 << 30)\n"), "memory", "movement", 5),
    "loops": (source("fish", "def movement(view):\n    while True:\n        pass\n"), "cpu-timeout", "movement", None),
    "dies": (source("fish", "import os\ndef setup(view): os._exit(0)\n"), "exit", "setup", None),
    "after": (source("fish", "def game_over(outcome): raise ValueError\n"), "exception", "game_over", 4),
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_fault_is_told_with_line_state_and_command(name: str, folder: Path) -> None:
    text, verdict, method, line = FAULTS[name]
    (folder / "bot.py").write_text(text)
    found = told("fish", "bot.py", *QUICKLY, "--setup-time", "0.3")
    (problem,) = found["problems"]
    assert (problem["verdict"], problem["method"]) == (verdict, method)
    if line is not None:
        assert (problem["file"], problem["line"]) == ("bot.py", line)
    assert problem["state"].startswith("Fish, ") == bool(method)
    assert problem["detail"]
    assert problem["command"].startswith("referee play fish bot.py minimax --seed=0 --time=0.3 --wall=3")
    assert found["games"]["played"] == (3 if method else 1), "no student waits for the same fault in every game"


def test_the_command_that_is_told_shows_the_same_fault(folder: Path) -> None:
    unlucky = """
        import random
        def movement(view):
            if random.random() < 0.1: raise KeyError(view.turn)
            return view.legal_moves()[0]
    """
    (folder / "bot.py").write_text(source("fish", unlucky))
    for problem in told("fish", "bot.py", "--seed", "20")["problems"]:
        done = CliRunner().invoke(main, [*shlex.split(problem["command"])[1:], "--json"])
        kicks = {kick["player"]: kick for kick in msgspec.json.decode(done.stdout)["kicked"]}
        assert (kicks["bot"]["detail"], kicks["bot"]["turn"]) == (problem["detail"], problem["turn"])


def test_a_person_reads_what_is_wrong_and_where(folder: Path) -> None:
    (folder / "bot.py").write_text(FAULTS["raises"][0])
    done = run("fish", "bot.py")
    assert done.exit_code == 1
    for words in (
        "Problem 1: kicked in movement, turn 9, and in 2 more of the games",
        "exception: KeyError: 0 (bot.py, line 6)",
        "return {}[0]",
        "asked in this state:",
        "black to act",
        "| at 8",
        "to see it again:  referee play fish bot.py minimax --seed=0",
        "longest move, CPU",
        "256.0 MiB",
        "bot.py would not be admitted: 1 problem in 3 of 6 games of fish.",
    ):
        assert words in done.stdout
    assert str(ROOT) not in done.stdout


def test_what_an_admitted_file_prints_is_shown_safely(folder: Path) -> None:
    (folder / "bot.py").write_text(source("fish", "print('\\x1b[2J\\u202ehello')\n"))
    done = run("fish", "bot.py")
    assert done.exit_code == 0
    assert "| \\x1b[2J\\u202ehello" in done.stdout


def test_who_had_no_legal_move_is_not_to_blame(folder: Path) -> None:
    """In this game of Tsuro every option either loops somebody or leaves the board."""
    (folder / "bot.py").write_text(source("tsuro"))
    for seed in range(30, 200):  # the first of these will do, unless the reference strategies have changed
        trial = list(trials(games.get("tsuro"), "bot.py", seed))[3]
        done = CliRunner().invoke(main, ["play", "tsuro", *trial.players, f"--seed={trial.seed}", "--json"])
        kicks = {kick["player"]: kick for kick in msgspec.json.decode(done.stdout)["kicked"]}
        if "bot" in kicks:
            assert "none of your options is legal" in kicks["bot"]["detail"]
            break
    else:
        pytest.fail("nobody got stuck")
    assert told("tsuro", "bot.py", "--seed", str(seed))["admitted"]


def test_no_line_of_ours_shows_in_the_output_of_a_file_that_hung(folder: Path) -> None:
    (folder / "bot.py").write_text(FAULTS["loops"][0])
    (problem,) = told("fish", "bot.py", *QUICKLY)["problems"]
    assert problem["output"] == ""
    assert problem["line"]


def test_a_folder_with_an_odd_name_is_checked_and_its_command_works(folder: Path) -> None:
    place = folder / "a=b c"
    place.mkdir()
    (place / "strategy.py").write_text(source("fish", "def movement(view): return None\n"))
    (problem,) = told("fish", "a=b c")["problems"]
    done = CliRunner().invoke(main, [*shlex.split(problem["command"])[1:], "--json"])
    assert msgspec.json.decode(done.stdout)["kicked"][0]["verdict"] == "illegal-move"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fish", "missing.py"], "missing.py does not exist"),
        (["fish", "greedy"], "greedy does not exist"),
        (["fish", "."], "has no strategy.py"),
        (["fish", "notes.txt"], "is not a Python file"),
        (["fish", "bot.py", "--set", "rows=0"], "at least one row"),
        (["fish", "bot.py", "--set", "rows=1"], "take a larger board"),
        (["fish", "bot.py", "--memory", "0"], "memory must be"),
    ],
)
def test_a_users_mistake_is_exit_2_and_no_verdict(words: list[str], said: str, folder: Path) -> None:
    (folder / "notes.txt").write_text("")
    (folder / "bot.py").write_text(source("fish"))
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert done.stdout == ""


def test_the_exit_code_reaches_the_shell(folder: Path) -> None:
    (folder / "good.py").write_text(source("q"))
    (folder / "bad.py").write_text("1/0\n")
    for name, code in (("good.py", 0), ("bad.py", 1), ("missing.py", 2)):
        words = [sys.executable, "-m", "referee", "check", "q", name]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        assert subprocess.run(words, capture_output=True, env=environment, check=False, timeout=60).returncode == code


def test_what_was_read_is_what_plays(folder: Path, zygotes: Zygotes) -> None:
    path = folder / "bot.py"
    path.write_text(source("fish"))

    def change(played: int, planned: int) -> None:
        path.write_text("1/0\n")

    found = examine(games.get("fish"), "bot.py", terms=QUICK, zygote=zygotes("fish"), told=change)
    assert found.admitted
    assert found.played == found.planned
