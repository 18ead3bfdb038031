"""`referee play` as its user meets it: one object on stdout, a sentence for each mistake, an exit code for each end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from click.testing import CliRunner, Result

from referee import games, record
from referee.cli import main
from referee.cli.options import Chosen
from tests.family import descendants
from tests.referee.table import source

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "players" / "examples"
KEYS = [
    "id", "game", "seed", "players", "colors", "ranking", "scores", "kicked", "turns", "usage", "state", "record",
]  # fmt: skip


def run(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *words], input=stdin)


def told(*words: str, stdin: str = "") -> dict[str, Any]:
    done = run(*words, "--json", stdin=stdin)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("\n") == 1, "exactly one object"
    object = msgspec.json.decode(done.stdout, type=dict[str, Any])
    assert list(object) == KEYS
    return object


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with some strategies of Fish."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "honest": source("fish"),
        "broken": "def placement(view:\n",
        "raises": source("fish", "def movement(view):\n    print('so far')\n    raise KeyError('no')\n"),
        "loops": source("fish", "def movement(view):\n    while True: pass\n"),
        "sleeps": source("fish", "import time\ndef movement(view): time.sleep(60)\n"),
        "numbers": source("fish", "import numpy\n"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "settings.json").write_text('{"config":{"rows":4},"kind":"settings"}\n')
    return tmp_path


def test_the_readmes_strangers_one_of_whom_cheats() -> None:
    done = run("fish", str(EXAMPLES / "honest.py"), str(EXAMPLES / "cheat.py"))
    assert done.exit_code == 0, done.stderr
    assert "Fish, done" in done.stdout
    assert "cheat was kicked in movement" in done.stdout
    assert "illegal-move: " in done.stdout
    assert "| no luck" in done.stdout
    assert "1. honest" in done.stdout
    assert "-  cheat   kicked: illegal-move" in done.stdout


def test_the_object_of_a_game(bots: Path) -> None:
    found = told("fish", "a=greedy", "b=honest.py", "--seed", "3", "--record", "game.jsonl")
    assert (found["game"], found["seed"], found["players"]) == ("fish", 3, ["a", "b"])
    assert set(found["colors"]) == {"a", "b"}
    assert sorted(name for rank in found["ranking"] for name in rank) == ["a", "b"]
    assert found["kicked"] == []
    assert set(found["usage"]["a"]) == {"cpu_s", "wall_s", "peak_memory", "output_bytes"}
    assert found["turns"] == found["state"]["turn"]
    assert found["record"] == "game.jsonl"
    recorded = record.read("game.jsonl")
    assert recorded.header.id == found["id"]
    assert recorded.final().save() == found["state"]
    again = told("fish", "a=greedy", "b=honest.py", "--seed", "3")
    assert again["record"] is None
    assert (again["id"], again["state"]) == (found["id"], found["state"])
    assert told("fish", "a=greedy", "b=honest.py", "--seed", "4")["id"] != found["id"]


@pytest.mark.parametrize(
    ("player", "options", "verdict", "method", "line"),
    [
        ("broken.py", [], "load-error", "", 1),
        ("raises.py", [], "exception", "movement", 6),
        ("loops.py", ["--time", "0.2"], "cpu-timeout", "movement", 5),
        ("sleeps.py", ["--wall", "0.5"], "wall-timeout", "movement", 5),
        ("numbers.py", [], "load-error", "", 4),
    ],
)
def test_whoever_fails_is_kicked_and_the_game_counts(
    bots: Path, player: str, options: list[str], verdict: str, method: str, line: int
) -> None:
    found = told("fish", player, "greedy", *options)
    (kick,) = found["kicked"]
    assert list(kick) == ["player", "verdict", "method", "turn", "detail", "line"]
    assert (kick["verdict"], kick["method"]) == (verdict, method)
    assert kick["turn"] == (9 if method else 0)
    assert kick["line"] == line
    assert found["ranking"] == [["greedy"]]


def test_an_allowed_package_can_be_imported(bots: Path) -> None:
    pytest.importorskip("numpy")
    assert told("fish", "numbers.py", "greedy", "--allow", "numpy")["kicked"] == []


def test_a_kick_is_told_with_file_line_and_what_was_printed(bots: Path) -> None:
    shown = run("fish", "raises.py", "greedy").stdout
    assert "raises was kicked in movement, turn 9:" in shown
    assert "exception: KeyError: 'no' (raises.py, line 6)" in shown
    assert "raise KeyError('no')" in shown
    assert "  | so far" in shown


def test_settings_shape_the_game(bots: Path) -> None:
    found = told("fish", "greedy", "random", "--set", "board=[[1,2,3,1,5],[1,2,3,4,5]]", "--set", "colors=in order")
    assert len(found["state"]["board"]) == 2
    assert found["colors"] == {"greedy": "red", "random": "white"}


def test_a_game_can_begin_from_a_saved_state(bots: Path) -> None:
    state = games.get("fish").setup(["x", "y"], seed=5)
    for _ in range(4):
        ask = state.ask()
        assert ask is not None
        state = state.commit(None if ask.reply is None else ask.view.legal_moves()[0])
    (bots / "state.json").write_bytes(msgspec.json.encode(state.save()))
    found = told("fish", "a=greedy", "b=honest.py", "--from", "state.json")
    assert found["players"] == ["a", "b"]
    assert found["state"]["history"][0]["player"] == "a"
    assert found["turns"] > state.turn


def test_a_person_plays_on_stdin(bots: Path) -> None:
    done = run("fish", "me=human", "greedy", "--json", stdin="0 0\nnonsense\nquit\n")
    assert done.exit_code == 0
    found = msgspec.json.decode(done.stdout)
    assert [(kick["player"], kick["verdict"]) for kick in found["kicked"]] == [("me", "exit")]
    assert "that does not work" in done.stderr


def test_watching_shows_every_board_on_stderr(bots: Path) -> None:
    done = run("fish", "greedy", "random", "--watch", "--json")
    assert done.stdout.count("\n") == 1
    turns = msgspec.json.decode(done.stdout)["turns"]
    assert done.stderr.count("Fish, ") == turns + 2  # and the start, and the end


def test_a_player_can_be_debugged_in_this_process(bots: Path) -> None:
    path = bots / "stops.py"
    path.write_text(
        source("fish", "import os\ndef movement(view):\n    breakpoint()\n    return view.legal_moves()[0]\n")
    )
    words = ["play", "fish", "me=stops.py", "greedy", "--debug", "me", "--json", "--time", "0.05"]
    done = subprocess.run(
        [sys.executable, "-m", "referee", *words],
        input="p view.me, os.getppid()\nclear\ny\nimport sys; sys.breakpointhook = lambda: None\nc\n",
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"('me', {os.getpid()})" in done.stderr, "it has not been in a box"
    assert msgspec.json.decode(done.stdout)["kicked"] == []


def test_debugging_shows_the_whole_traceback_and_keeps_stdout_clean(bots: Path) -> None:
    done = run("fish", "raises.py", "greedy", "--debug", "raises", "--json")
    assert msgspec.json.decode(done.stdout)["kicked"][0]["verdict"] == "exception"
    assert "Traceback" in done.stderr
    assert "so far" in done.stderr


MISTAKES = [
    ("fish", "Missing argument"),
    ("fish greedy", "Fish is for 2 to 4 players, not 1."),
    ("tsuro second third", "Tsuro is for 3 to 5 players, not 2."),
    ("fish greedy greedy greedy greedy greedy", "not 5"),
    ("chess a b", "There is no game 'chess'"),
    ("fish gredy greedy", "There is no player 'gredy'"),
    ("fish missing.py greedy", "missing.py does not exist"),
    ("fish . greedy", "has no strategy.py"),
    ("fish a=greedy a=random", "Two players are called 'a'"),
    ("fish greedy random --set rows", "the settings of fish are rows=5"),
    ("fish greedy random --set color=red", "the settings of fish are rows=5"),
    ("fish greedy random --set rows=many", "Expected `int`"),
    ("fish greedy random --set rows=1 --set columns=1", "take a larger board"),
    ("fish greedy random --set rows=100000", "at most 400 tiles"),
    ("fish greedy random --time 0", "positive number of seconds"),
    ("fish greedy random --time nan", "positive number of seconds"),
    ("fish greedy random --time inf", "positive number of seconds up to 1,000,000, not inf"),
    ("fish greedy random --wall 1e7", "from 0 to 1,000,000, not 10000000.0"),
    ("fish greedy random --bank 1e7", "bank must be at most 1000000, not"),
    ("fish greedy random --wall -1", "wall must be"),
    ("fish greedy random --bank -1", "bank must be"),
    ("fish greedy random --setup-time 0", "positive number of seconds"),
    ("fish greedy random --memory lots", "256M"),
    ("fish greedy random --memory 1", "memory must be at least 8M, not 1"),
    ("fish greedy random --memory 9999999G", "memory must be at most 1048576G"),
    ("fish greedy random --allow no_such_package", "no package of that name"),
    ("fish greedy random --allow ../up", "no package of that name"),
    ("fish greedy random --allow players", "reference strategies"),
    ("fish greedy random --seed one", "--seed"),
    ("fish greedy random --seed 9223372036854775808", "--seed"),
    ("fish greedy random --record no/such/folder", "folder that does not exist"),
    ("fish greedy random --record .", "is a folder"),
    ("fish greedy random --record honest.py", "is no record"),
    ("fish greedy random --record settings.json", "is no record"),
    ("fish greedy random --from missing.json", "cannot be read"),
    ("fish greedy random --from honest.py", "is no saved state of fish"),
    ("fish greedy random --debug nobody", "those that do are greedy, random"),
    ("fish human greedy --debug human", "those that do are greedy"),
    ("fish broken.py greedy --debug broken", "does not load"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_a_users_mistake_is_a_sentence_and_exit_2(bots: Path, words: str, said: str) -> None:
    done = run(*words.split())
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert done.stdout == ""
    if "does not load" not in said:
        assert "Traceback" not in done.stderr
    assert (bots / "honest.py").read_text() == source("fish")


def test_a_record_may_be_written_over_another(bots: Path) -> None:
    for seed in ("1", "2"):
        assert run("fish", "greedy", "random", "--record", "game.jsonl", "--seed", seed).exit_code == 0
    assert record.read(bots / "game.jsonl").header.seed == 2
    (bots / "game.jsonl").write_text("")
    assert run("fish", "greedy", "random", "--record", "game.jsonl").exit_code == 0


def test_a_mistake_leaves_no_empty_record_behind(bots: Path) -> None:
    assert run("fish", "greedy", "--record", "game.jsonl").exit_code == 2
    assert not (bots / "game.jsonl").exists()


def test_a_machine_without_the_layers_is_named_with_the_flag(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.zygote.shortfall", lambda active, *, root: "seccomp")
    for command in ("play", "check"):
        words = ["play", "fish", "honest.py", "greedy"] if command == "play" else ["check", "fish", "honest.py"]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 3
        assert "it lacks seccomp" in done.stderr
        assert "--accept-missing-layers" in done.stderr
        assert CliRunner().invoke(main, [*words, "--accept-missing-layers"]).exit_code == 0


def test_files_that_lie_where_the_user_stands_are_not_imported(bots: Path) -> None:
    for name in ("random", "numbers", "msgspec", "sandbox", "players"):
        (bots / f"{name}.py").write_text("raise SystemExit('a stranger runs outside its box')\n")
    words = [sys.executable, "-m", "referee", "play", "fish", "random.py", "greedy"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "random was kicked while it was loaded:\n  exit: " in done.stdout


def test_a_fault_of_ours_is_exit_3_and_blames_nobody(bots: Path) -> None:
    done = run("fish", "greedy", "random", "--record", "/dev/full")
    assert done.exit_code == 3, done.output
    assert done.stderr.startswith("referee-error: ")
    assert "nobody is to blame" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_game_with_a_message_a_readable_record_and_no_orphan(bots: Path, number: int) -> None:
    words = ["play", "fish", "sleeps.py", "greedy", "--record", "game.jsonl"]
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as process:
        path = bots / "game.jsonl"
        while not path.exists() or path.read_bytes().count(b"\n") < 9:  # the header and eight penguins
            assert process.poll() is None
        below = [psutil.Process(pid) for pid in descendants(process.pid)]
        assert below
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert "Stopped" in said
    assert "Traceback" not in said
    _, left = psutil.wait_procs(below, timeout=10)
    assert not left
    assert len(record.read(path).lines) == 8


def test_the_options_of_a_game_can_be_written_down_again() -> None:
    chosen = Chosen(
        seed=4, settings=("rows=4",), time=0.5, memory=64 << 20, allow=("numpy",), accept_missing_layers=True
    )
    assert chosen.words() == [
        "--seed=4", "--set=rows=4", "--time=0.5", "--memory=64M", "--allow=numpy", "--accept-missing-layers",
    ]  # fmt: skip
