"""Making workers: sources of every kind, loading faults, bad input, and nothing left behind."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from sandbox import (
    BoxError,
    Budget,
    Ending,
    Limits,
    MiB,
    Misconduct,
    Submission,
    SubmissionError,
    Verdict,
    Zygote,
    ZygoteDied,
)
from tests.family import descendants

Spawned = list[psutil.Process]


def family(zygote: Zygote) -> Spawned:
    return [psutil.Process(pid) for pid in (zygote.pid, *descendants(zygote.pid))]


def descriptors() -> int:
    return psutil.Process().num_fds()


def load_verdict(zygote: Zygote, path: Path, **options: object) -> Verdict:
    with pytest.raises(Misconduct) as caught:
        zygote.spawn(path, **options)  # type: ignore[arg-type]  # options vary by test
    return caught.value.verdict


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "team"
    (folder / "pkg").mkdir(parents=True)
    (folder / "strategy.py").write_text(
        "import helper, pkg.deep\n"
        "def f(view): return [helper.VALUE, pkg.deep.VALUE, open('weights.txt').read()]\n"
        "def fail(view): return helper.fail()\n"
        "def write(view):\n    try: open('new', 'w')\n    except OSError: return 'refused'\n"
    )
    (folder / "helper.py").write_text("VALUE = 4\ndef fail():\n    return 1 / 0\n")
    (folder / "pkg" / "deep.py").write_text("VALUE = 5\n")
    (folder / "weights.txt").write_text("heavy")
    return folder


def test_a_folder_brings_its_modules_and_data(zygote: Zygote, folder: Path) -> None:
    with zygote.spawn(folder) as worker:
        assert worker.name == "team"
        assert worker.call("f") == [4, 5, "heavy"]
        assert worker.call("write") == "refused"
        with pytest.raises(Misconduct) as caught:
            worker.call("fail")
    verdict = caught.value.verdict
    assert (verdict.file, verdict.line) == ("helper.py", 3)
    assert [frame.file for frame in verdict.traceback] == ["strategy.py", "helper.py"]


def test_what_was_read_is_what_plays(zygote: Zygote, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("def f(view): return 'checked'")
    submission = Submission.read(path)
    path.write_text("def f(view): return 'changed'")
    with zygote.spawn(submission) as worker:
        assert worker.call("f") == "checked"


def test_a_class_travels_by_value(zygote: Zygote) -> None:
    base = 40

    class Bot:
        def __init__(self, more: int = 0) -> None:
            self.more = more

        def f(self, view: int) -> int:
            return base + view + self.more

    with zygote.spawn(Bot, parameters={"more": 1}) as worker:
        assert worker.name == "Bot"
        assert worker.call("f", 2) == 43


def test_a_function_travels_by_value(zygote: Zygote) -> None:
    def double(view: int) -> int:
        return 2 * view

    with zygote.spawn(double) as worker:
        assert worker.call("double", 4) == 8
    with zygote.spawn(double, required=["take_turn"]) as worker:
        assert worker.call("take_turn", 4) == 8


def test_it_works_from_a_script_with_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        from sandbox import Zygote
        class Bot:
            def f(self, view): return view + 1
        with Zygote() as zygote, zygote.spawn(Bot) as worker:
            print(worker.call("f", 1))
    """)
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "2\n", done.stderr


@pytest.mark.parametrize(
    ("source", "ending", "line", "words"),
    [
        (b"def f(:\n", Ending.LOAD_ERROR, 1, "SyntaxError"),
        (b"x = 1\ny = '\xff'\n", Ending.LOAD_ERROR, 2, "UTF-8"),
        (b"x = 1\n\n\0", Ending.LOAD_ERROR, 3, "null byte"),
        (b"# coding: klingon\nx = 1\n", Ending.LOAD_ERROR, 1, "klingon"),
        (b"x = 1\nraise RuntimeError('no')\n", Ending.LOAD_ERROR, 2, "no"),
        (b"import nothing_like_it\n", Ending.LOAD_ERROR, 1, "nothing_like_it"),
        (b"import psutil\n", Ending.LOAD_ERROR, 1, "psutil"),
        (b"import players\n", Ending.LOAD_ERROR, 1, "players"),
        (b"class Strategy:\n    def __init__(self):\n        self.x\n", Ending.LOAD_ERROR, 3, "AttributeError"),
        (b"class Strategy:\n    pass\n", Ending.LOAD_ERROR, 0, "does not define f(view)"),
        (b"def g(view): pass\n", Ending.LOAD_ERROR, 0, "does not define f(view)"),
        (b"f = 3\n", Ending.LOAD_ERROR, 0, "does not define f(view)"),
        (b"def f(): pass\n", Ending.LOAD_ERROR, 0, "line 1"),
        (b"def f(a, b): pass\n", Ending.LOAD_ERROR, 0, "one argument"),
        (b"Strategy = 3\n", Ending.LOAD_ERROR, 0, "must be a class"),
        (b"class Strategy:\n    def __init__(self, depth): pass\n", Ending.LOAD_ERROR, 0, "depth"),
        (b"\nwhile True: pass\n", Ending.CPU_TIMEOUT, 2, "CPU"),
        (b"import time\ntime.sleep(60)\n", Ending.WALL_TIMEOUT, 2, "wall"),
        (b"x = bytearray(1 << 30)\n", Ending.MEMORY, 1, "MemoryError"),
        (b"import os\nos._exit(0)\n", Ending.EXIT, 0, "code 0"),
        (b"import sys\nsys.exit()\n", Ending.EXIT, 2, "SystemExit"),
        (b"import os\nos.abort()\n", Ending.CRASH, 2, "SIGABRT"),
        (b"while True: print('x' * 10000)\n", Ending.OUTPUT_LIMIT, 0, "printed"),
        (b"from sandbox.channel import *\nimport os\nos.write(4, frame(0, 5, b'x'))\n", Ending.PROTOCOL, 0, ""),
        (b"import os\nos.write(4, b'\\1\\0\\0\\0\\0\\0\\0\\0\\4\\x90')\nwhile 1: pass", Ending.PROTOCOL, 0, ""),
    ],
)
def test_a_file_that_does_not_load_is_told_why(
    zygote: Zygote, tmp_path: Path, source: bytes, ending: Ending, line: int, words: str
) -> None:
    path = tmp_path / "bot.py"
    path.write_bytes(source)
    wall = 1.0 if ending is Ending.WALL_TIMEOUT else 20.0  # wide: the core may be shared
    limits = Limits(load=Budget(cpu=0.5, wall=wall), output=1 * MiB)
    verdict = load_verdict(zygote, path, required=["f"], limits=limits)
    assert verdict.ending is ending, verdict
    assert verdict.method == ""
    assert words in verdict.detail
    if line:
        assert (verdict.file, verdict.line) == ("bot.py", line)


def test_bad_input_is_refused_before_anything_runs(zygote: Zygote, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.py")
    (tmp_path / "empty").mkdir()
    (tmp_path / "big.py").write_bytes(b"#" * 50_000_000)
    before = descriptors()
    for name in ("missing.py", "fifo.py", "empty", "big.py"):
        with pytest.raises(SubmissionError) as caught:
            zygote.spawn(tmp_path / name)
        assert name in str(caught.value)
    assert descriptors() == before


def test_what_a_strategy_defines_is_known(zygote: Zygote, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view): pass\ndef setup(view): pass\n")
    with zygote.spawn(tmp_path / "bot.py", required=["f"], optional=["setup", "kicked"]) as worker:
        assert worker.methods == {"f", "setup"}


def test_the_environment_and_descriptors_inside_are_only_ours(zygote: Zygote, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import os, sys\n"
        "def f(view):\n"
        "    fds = []\n"
        "    for n in range(64):\n"
        "        try: os.fstat(n); fds.append(n)\n"
        "        except OSError: pass\n"
        "    return [sorted(os.environ), fds, sys.orig_argv[1:4], os.getpid(), os.getuid(), os.uname().nodename]\n"
    )
    os.environ["REFEREE_TEST_SECRET"] = "secret"
    with zygote.spawn(tmp_path / "bot.py") as worker:
        names, fds, argv, pid, uid, node = worker.call("f")
    assert "REFEREE_TEST_SECRET" not in names
    assert "PATH" not in names
    assert fds == [0, 1, 2, 3, 4]
    assert argv == ["-s", "-P", "-S"]
    if "namespaces" in zygote.layers:
        assert (pid, uid, node) == (2, 1000, "box")


def test_numpy_loads_with_its_default_settings(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import numpy as np\n"
        "def f(view): return float((np.ones((400, 400)) @ np.ones((400, 400))).sum()) + np.random.rand()\n"
        "def big(view): return int(np.zeros(view // 8).nbytes)\n"
    )
    with Zygote(preload=["numpy"]) as zygote:
        answers = []
        for _ in range(2):
            with zygote.spawn(tmp_path / "bot.py", seed=7) as worker:
                answers.append(worker.call("f"))
                assert worker.call("big", 200 * MiB) == 200 * MiB
        assert answers[0] == answers[1]  # its global generator is seeded too
        with (
            zygote.spawn(tmp_path / "bot.py", limits=Limits(memory=100 * MiB)) as worker,
            pytest.raises(Misconduct) as caught,
        ):
            worker.call("big", 200 * MiB)
    assert caught.value.verdict.ending is Ending.MEMORY


def test_numpy_is_not_there_unless_it_is_allowed(zygote: Zygote, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import sys\nsys.path += ['/usr/lib/python3/dist-packages']\nimport numpy\n")
    assert "numpy" in load_verdict(zygote, tmp_path / "bot.py").detail


def test_what_a_preloaded_function_returns_is_called_once_in_every_worker(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("from tests.sandbox import adapters\ndef f(view): return adapters.calls")
    with Zygote(preload=["tests.sandbox.adapters:made_ready"]) as zygote:
        for _ in range(2):
            with zygote.spawn(bot) as worker:
                assert worker.call("f") == ["in the zygote", "in the worker"]


def test_a_module_that_cannot_be_preloaded_is_named() -> None:
    with pytest.raises(BoxError, match="no_such_module"):
        Zygote(preload=["no_such_module"])


@pytest.fixture
def own_zygote() -> Iterator[Zygote]:
    with Zygote() as zygote:
        yield zygote


def test_kill_leaves_nothing_of_what_the_worker_started(own_zygote: Zygote, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import threading, time, tempfile, os\n"
        "def f(view):\n"
        "    for _ in range(20): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
    )
    own_zygote.settle()
    before, open_before = len(family(own_zygote)), descriptors()
    worker = own_zygote.spawn(tmp_path / "bot.py")
    worker.call("f")
    worker.kill()
    worker.kill()  # twice does no harm
    own_zygote.settle()
    assert not psutil.pid_exists(worker.pid)
    assert len(family(own_zygote)) == before
    assert descriptors() == open_before


@pytest.mark.timeout(300)
def test_two_thousand_workers_leave_no_descriptor_no_zombie_and_no_memory(own_zygote: Zygote, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view): return view\n")
    submission = Submission.read(tmp_path / "bot.py")

    def cycles(count: int) -> None:
        for number in range(count):
            with own_zygote.spawn(submission) as worker:
                assert worker.call("f", number) == number
        own_zygote.settle()

    def memory() -> int:
        gc.collect()
        guard, zygote = family(own_zygote)[:2]
        return psutil.Process().memory_info().rss + guard.memory_info().rss + zygote.memory_info().rss

    def descriptors_inside() -> list[int]:
        try:
            return [process.num_fds() for process in family(own_zygote)[:2]]
        except psutil.AccessDenied:  # an ordinary user may not look into its own zygote; root's run does
            return []

    cycles(200)
    processes, open_files, used = len(family(own_zygote)), descriptors(), memory()
    inside = descriptors_inside()
    cycles(2000)
    assert len(family(own_zygote)) == processes
    assert all(process.status() != psutil.STATUS_ZOMBIE for process in family(own_zygote))
    assert descriptors() == open_files
    assert descriptors_inside() == inside
    assert memory() - used < 4 * MiB


def test_closing_the_zygote_ends_every_worker(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view): return view\n")
    before = descriptors()
    zygote = Zygote()
    workers = [zygote.spawn(tmp_path / "bot.py") for _ in range(3)]
    everyone = family(zygote)
    zygote.close()
    assert not psutil.wait_procs(everyone, timeout=10)[1]
    assert descriptors() == before
    with pytest.raises(BoxError):
        workers[0].call("f")
    workers[0].kill()
    with pytest.raises(ZygoteDied):
        zygote.spawn(tmp_path / "bot.py")


@pytest.mark.parametrize("which", [0, 1])
def test_a_killed_zygote_is_our_fault_and_takes_its_workers_along(tmp_path: Path, which: int) -> None:
    (tmp_path / "bot.py").write_text("import time\ndef f(view): time.sleep(view)\n")
    zygote = Zygote()
    worker = zygote.spawn(tmp_path / "bot.py")
    everyone = family(zygote)
    everyone[which].kill()
    with pytest.raises(BoxError):
        worker.call("f", 60, budget=Budget(cpu=1.0, wall=20.0))
    with pytest.raises(BoxError):
        zygote.spawn(tmp_path / "bot.py")
    zygote.close()
    assert not psutil.wait_procs(everyone, timeout=10)[1]


def test_workers_die_with_a_referee_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view):\n    while True: pass\n")
    script = (
        "import sys; from sandbox import *\n"
        "z = Zygote(); w = z.spawn(sys.argv[1]); print(z.pid, w.pid, flush=True); w.call('f', budget=Budget(cpu=60))\n"
    )
    referee = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "bot.py")], stdout=subprocess.PIPE, text=True
    )
    assert referee.stdout is not None
    pids = [int(text) for text in referee.stdout.readline().split()]
    processes = [psutil.Process(pid) for pid in pids]
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    assert not psutil.wait_procs(processes, timeout=10)[1]


def _child_uses(zygote: Zygote, path: Path) -> None:
    try:
        zygote.spawn(path)
    except BoxError as error:
        os._exit(42 if "another process" in str(error) else 1)


def test_a_forked_child_lets_go_of_its_parents_zygote(own_zygote: Zygote, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view): return view\n")
    child = multiprocessing.get_context("fork").Process(target=_child_uses, args=(own_zygote, tmp_path / "bot.py"))
    child.start()
    child.join()
    assert child.exitcode == 42
    with own_zygote.spawn(tmp_path / "bot.py") as worker:
        assert worker.call("f", 1) == 1


def test_a_zygote_ends_although_a_forked_child_lives_on(tmp_path: Path) -> None:
    zygote = Zygote()
    everyone = family(zygote)
    child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(30,))
    child.start()
    try:
        zygote.close()
        assert not psutil.wait_procs(everyone, timeout=10)[1]
    finally:
        child.kill()
        child.join()


def test_nothing_is_left_in_the_temporary_directory(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", None)
    with Zygote() as zygote, zygote.spawn(folder) as worker:
        worker.call("f")
    assert list(place.iterdir()) == []
    shutil.rmtree(place)


def test_a_worker_that_cannot_be_made_is_our_fault_and_spoils_nothing_else(tmp_path: Path) -> None:
    """The machine is out of processes: the order fails, and questions to others are still answered."""
    (tmp_path / "bot.py").write_text("def f(view): return view\n")
    with Zygote(spares=0) as zygote, zygote.spawn(tmp_path / "bot.py") as worker:
        real = psutil.Process(family(zygote)[1].pid)
        before = real.rlimit(psutil.RLIMIT_NOFILE)
        real.rlimit(psutil.RLIMIT_NOFILE, (3, before[1]))  # it cannot even take in the pipes
        with pytest.raises(BoxError):
            zygote.spawn(tmp_path / "bot.py")
        real.rlimit(psutil.RLIMIT_NOFILE, before)
        assert worker.call("f", 1) == 1
        with zygote.spawn(tmp_path / "bot.py") as another:
            assert another.call("f", 2) == 2


def test_a_worker_that_is_forgotten_ends_with_its_zygote(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view): return view\n")
    before = descriptors()
    with Zygote() as zygote:
        pid = zygote.spawn(tmp_path / "bot.py").pid
        gc.collect()
        assert psutil.pid_exists(pid)
    assert not psutil.pid_exists(pid)
    assert descriptors() == before


def test_a_killed_referee_leaves_no_copy_of_a_folder(tmp_path: Path, folder: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    script = (
        "import sys, os; from sandbox import *\n"
        "z = Zygote(layers=ALL_LAYERS - {Layer.NAMESPACES}, accept_missing_layers=True)\n"
        "w = z.spawn(sys.argv[1]); print(z.pid, w.call('f'), os.listdir(os.environ['TMPDIR']), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    referee = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(place)},
    )  # fmt: skip
    said = referee.communicate(timeout=60)[0]
    assert "heavy" in said
    assert "referee-" in said
    guard = int(said.split()[0])
    for _ in range(100):
        if not psutil.pid_exists(guard):
            break
        time.sleep(0.1)
    assert list(place.iterdir()) == []
