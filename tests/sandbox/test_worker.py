"""One stranger, asked and judged: answers, verdicts, clocks, the freeze, output."""

from __future__ import annotations

import signal
import time
from typing import Any, Literal

import msgspec
import pytest

from sandbox import BoxError, Budget, Ending, Limits, MiB, Misconduct, Verdict, Worker
from tests.sandbox.adapters import Pair
from tests.sandbox.conftest import Spawn

SMALL = Budget(cpu=0.3, wall=20.0)


class Action(msgspec.Struct):
    row: int
    column: int


def verdict_of(worker: Worker, method: str, view: Any = None, **options: Any) -> Verdict:
    options.setdefault("budget", SMALL)
    with pytest.raises(Misconduct) as caught:
        worker.call(method, view, **options)
    return caught.value.verdict


def test_a_call_returns_the_answer_as_plain_data(spawn: Spawn) -> None:
    worker = spawn("def echo(view): return {'got': view, 'pi': 3.5, 'none': None}")
    assert worker.call("echo", [1, "two"]) == {"got": [1, "two"], "pi": 3.5, "none": None}


def test_a_class_named_strategy_is_instantiated_once_and_keeps_its_state(spawn: Spawn) -> None:
    worker = spawn("""
        class Strategy:
            def __init__(self, start=0): self.count = start
            def bump(self, view):
                self.count += 1
                return self.count
    """)
    assert [worker.call("bump") for _ in range(3)] == [1, 2, 3]
    with_parameters = spawn(
        "class Strategy:\n def __init__(self, depth): self.depth = depth\n def get(self, view): return self.depth",
        parameters={"depth": 3},
    )
    assert with_parameters.call("get") == 3


def test_a_reply_type_is_decoded_strictly(spawn: Spawn) -> None:
    worker = spawn("""
        def good(view): return {"row": 1, "column": 2}
        def bad(view): return {"row": "1", "column": 2}
        def none(view): return None
        def short(view): return [1]
    """)
    assert worker.call("good", reply=Action) == Action(1, 2)
    assert verdict_of(worker, "bad", reply=Action).ending is Ending.ILLEGAL_MOVE
    nothing = verdict_of(worker, "none", reply=Action)
    assert nothing.ending is Ending.ILLEGAL_MOVE
    assert "Action" in nothing.detail
    assert "`None`" in nothing.detail
    assert "tuple[int, int]" in verdict_of(worker, "short", reply=tuple[int, int]).detail
    assert worker.call("good", reply=Action) == Action(1, 2)  # an illegal answer leaves it able to hear


@pytest.mark.parametrize(
    "answer",
    ["object()", "10**40", "'\\ud800'", "lambda: 1", "[[[[[[[[[[1]]]]]]]]]]", "{1: 2}", "print", "type('X', (), {})"],
)
def test_what_is_no_plain_data_is_an_illegal_move(spawn: Spawn, answer: str) -> None:
    worker = spawn(f"def odd(view): return {answer}")
    assert verdict_of(worker, "odd").ending is Ending.ILLEGAL_MOVE


def test_a_call_that_wants_no_answer_ignores_what_comes(spawn: Spawn) -> None:
    worker = spawn("def setup(view): return object()\ndef fine(view): return 5")
    assert worker.call("fine", reply=None) is None
    assert worker.call("setup", reply=None) is None


def test_an_exception_names_the_students_file_line_and_frames_only(spawn: Spawn) -> None:
    worker = spawn("""
        import json
        def take_turn(view):
            return helper(view)
        def helper(view):
            return json.loads(view)
    """)
    verdict = verdict_of(worker, "take_turn", "{")
    assert verdict.ending is Ending.EXCEPTION
    assert (verdict.file, verdict.line) == ("bot.py", 6)
    assert [frame.function for frame in verdict.traceback] == ["take_turn", "helper"]
    assert verdict.traceback[-1].source == "return json.loads(view)"
    assert "JSONDecodeError" in verdict.detail


def test_no_path_of_the_host_shows_in_a_verdict(spawn: Spawn) -> None:
    worker = spawn("def f(view):\n    from json import nothing_like_it")
    text = verdict_of(worker, "f").explain()
    assert "ImportError" in text
    assert "/lib" not in text


def test_text_of_a_stranger_is_made_safe_to_print(spawn: Spawn) -> None:
    worker = spawn("def f(view): raise ValueError('\\x1b[2J\\u202eevil\\nline')")
    detail = verdict_of(worker, "f").detail
    assert "\x1b" not in detail
    assert "\u202e" not in detail
    assert "\n" not in detail
    assert "evil" in detail


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("raise SystemExit(3)", Ending.EXIT),
        ("exit()", Ending.EXIT),
        ("raise KeyboardInterrupt", Ending.EXCEPTION),
        ("import os; os._exit(0)", Ending.EXIT),
        ("import os; os.abort()", Ending.CRASH),
        ("import os; os.kill(os.getpid(), 9)", Ending.CRASH),
        ("import ctypes; ctypes.string_at(0)", Ending.CRASH),
        ("while True: pass", Ending.CPU_TIMEOUT),
        ("import time; time.sleep(99)", Ending.WALL_TIMEOUT),
        ("import os; os.kill(os.getpid(), 19)", Ending.WALL_TIMEOUT),
        ("import os; os.close(4)\n    while True: pass", Ending.PROTOCOL),
        ("bytearray(1 << 30)", Ending.MEMORY),
        ("import mmap; mmap.mmap(-1, 1 << 29)", Ending.MEMORY),
        ("class E(Exception):\n        def __str__(self): raise self\n    raise E", Ending.EXCEPTION),
        ("class E(Exception):\n        def __str__(self):\n            while 1: pass\n    raise E", Ending.CPU_TIMEOUT),
    ],
)
def test_every_way_to_fail_has_its_own_ending(spawn: Spawn, body: str, ending: Ending) -> None:
    worker = spawn(f"def f(view):\n    {body}\n")
    wall = 1.0 if ending is Ending.WALL_TIMEOUT else 20.0  # wide: the core may be shared
    verdict = verdict_of(worker, "f", budget=Budget(cpu=0.3, wall=wall))
    assert verdict.ending is ending, verdict
    assert verdict.method == "f"


@pytest.mark.parametrize(
    "body",
    ["while True: pass", "9 ** 9 ** 9", "import re; re.match('(a+)+$', 'a' * 60 + 'b')", "import time; time.sleep(9)"],
)
def test_a_worker_out_of_time_is_told_on_which_line_it_was(spawn: Spawn, body: str) -> None:
    worker = spawn(f"def f(view):\n    x = 1\n    {body}\n")
    wall = 0.5 if "sleep" in body else 20.0
    verdict = verdict_of(worker, "f", budget=Budget(cpu=0.2, wall=wall))
    assert verdict.ending in (Ending.CPU_TIMEOUT, Ending.WALL_TIMEOUT)
    assert (verdict.file, verdict.line) == ("bot.py", 3)


def test_a_crash_names_the_line_too(spawn: Spawn) -> None:
    worker = spawn("import ctypes\ndef f(view):\n    ctypes.string_at(0)\n")
    verdict = verdict_of(worker, "f")
    assert verdict.ending is Ending.CRASH
    assert "SIGSEGV" in verdict.detail
    assert (verdict.file, verdict.line) == ("bot.py", 3)


def test_a_dead_worker_cannot_be_asked_again(spawn: Spawn) -> None:
    worker = spawn("import os\ndef f(view): os._exit(0)")
    verdict_of(worker, "f")
    assert not worker.alive
    with pytest.raises(BoxError, match="gone"):
        worker.call("f")


def test_cpu_time_is_measured_from_outside(spawn: Spawn) -> None:
    worker = spawn("""
        import time
        def burn(view):
            end = time.process_time() + view
            while time.process_time() < end: pass
        def idle(view): time.sleep(view)
    """)
    worker.call("burn", 0.2, budget=Budget(cpu=2.0))
    assert 0.19 < worker.last.cpu < 0.4
    worker.call("idle", 0.2, budget=Budget(cpu=2.0))
    assert worker.last.cpu < 0.1
    assert worker.last.wall > 0.19
    assert worker.usage.cpu > 0.19


def test_an_answer_that_comes_after_the_budget_is_late(spawn: Spawn) -> None:
    """The waiting is done in whole milliseconds; an overrun within one still counts."""
    worker = spawn(
        "import time\ndef f(view):\n    e = time.process_time() + view\n    while time.process_time() < e: pass"
    )
    assert verdict_of(worker, "f", 0.0505, budget=Budget(cpu=0.05, wall=20.0)).ending is Ending.CPU_TIMEOUT


def test_the_bank_pays_for_overruns_until_it_is_empty(spawn: Spawn) -> None:
    worker = spawn(
        "import time\ndef f(view):\n    e = time.process_time() + view\n    while time.process_time() < e: pass\n",
        limits=Limits(bank=0.5),
    )
    worker.call("f", 0.2, budget=Budget(cpu=0.1, wall=20.0))
    assert 0.3 < worker.bank < 0.42
    worker.call("f", 0.01, budget=Budget(cpu=0.1, wall=20.0))
    assert worker.bank > 0.3  # a call within its budget costs the bank nothing
    assert verdict_of(worker, "f", 1.0, budget=Budget(cpu=0.1, wall=20.0)).ending is Ending.CPU_TIMEOUT


THINKER = """
    import threading, time
    ticks = 0
    def think():
        global ticks
        while True: ticks += 1
    def start(view): threading.Thread(target=think, daemon=True).start()
    def count(view): return ticks
"""


def test_a_worker_is_frozen_between_calls(spawn: Spawn) -> None:
    worker = spawn(THINKER)
    worker.call("start", budget=SMALL)
    before = worker.usage.cpu
    time.sleep(0.5)
    assert worker.usage.cpu - before < 0.05


def test_cpu_leaked_between_calls_is_charged_to_the_next(spawn: Spawn) -> None:
    worker = spawn(
        "def f(view): return 1\nimport threading\ndef burn():\n    while True: pass\n"
        "def start(view): threading.Thread(target=burn, daemon=True).start()"
    )
    worker.call("start", budget=SMALL)
    before = worker.usage.cpu
    worker._conversation.signal(signal.SIGCONT)  # as if the freeze had leaked
    while worker.usage.cpu < before + 0.3:
        time.sleep(0.01)
    assert verdict_of(worker, "f", budget=Budget(cpu=0.2, wall=20.0)).ending is Ending.CPU_TIMEOUT


def test_peak_memory_is_measured_without_the_zygotes_share(spawn: Spawn) -> None:
    worker = spawn("def f(view): x = bytearray(view); return len(x)")
    assert worker.usage.peak_memory < 4 * MiB
    worker.call("f", 100 * MiB)
    assert 95 * MiB < worker.usage.peak_memory < 110 * MiB
    assert 95 * MiB < worker.kill().peak_memory < 110 * MiB


def test_output_is_kept_in_order_and_the_rest_counted(spawn: Spawn) -> None:
    worker = spawn("""
        import sys
        def f(view):
            print("one"); print("two", file=sys.stderr); print("three")
            sys.stdout.write("no newline")
        def flood(view):
            for _ in range(view): print("x" * 1023)
            return "answered"
    """)
    worker.call("f")
    assert worker.output == "one\ntwo\nthree\nno newline"
    assert worker.call("flood", 1024, budget=Budget(cpu=5)) == "answered"
    assert len(worker.output) < 70_000
    assert "bytes dropped]" in worker.output
    assert worker.usage.output == 24 + 1024 * 1024


@pytest.mark.parametrize("printed", ["", "thinking\n", "no newline"])
def test_where_a_worker_was_stopped_is_not_counted_as_its_output(spawn: Spawn, printed: str) -> None:
    worker = spawn(f"def f(view):\n    print({printed!r}, end='', flush=True)\n    while True: pass")
    with pytest.raises(Misconduct) as caught:
        worker.call("f", budget=Budget(cpu=0.05, wall=5.0))
    assert caught.value.verdict.line == 3
    assert worker.usage.output == len(printed)
    assert worker.output == printed


def test_more_output_than_the_limit_ends_it(spawn: Spawn) -> None:
    worker = spawn("def f(view):\n    while True: print('x' * 10000)", limits=Limits(output=2 * MiB))
    assert verdict_of(worker, "f", budget=Budget(cpu=5)).ending is Ending.OUTPUT_LIMIT


def test_closing_its_streams_neither_stops_the_answer_nor_spins_the_referee(spawn: Spawn) -> None:
    worker = spawn("import os, time\ndef f(view):\n    os.close(1); os.close(2); time.sleep(0.5); return 7")
    before = time.process_time()
    assert worker.call("f") == 7
    assert time.process_time() - before < 0.2


def test_a_question_larger_than_the_pipe_arrives(spawn: Spawn) -> None:
    worker = spawn("def f(view): return len(view)")
    assert worker.call("f", "x" * 900_000) == 900_000
    with pytest.raises(BoxError, match="over the limit"):
        worker.call("f", "x" * 1_100_000)


def test_an_answer_larger_than_the_pipe_arrives_and_one_over_the_limit_is_refused(spawn: Spawn) -> None:
    worker = spawn("def f(view): return 'x' * view")
    assert len(worker.call("f", 900_000)) == 900_000
    assert verdict_of(worker, "f", 1_100_000).ending is Ending.PROTOCOL


def test_a_worker_that_never_reads_a_large_question_runs_out_of_wall_time(spawn: Spawn) -> None:
    worker = spawn("""
        import threading, time, os
        def f(view): return 1
        def stop(view):
            def hold():
                os.dup2(0, 3)  # the main thread now reads nothing
            threading.Timer(0, hold).start()
            time.sleep(0.05)
    """)
    worker.call("stop", budget=SMALL)
    ending = verdict_of(worker, "f", "x" * 900_000, budget=Budget(cpu=0.2, wall=0.5)).ending
    assert ending in (Ending.WALL_TIMEOUT, Ending.EXIT, Ending.CPU_TIMEOUT)


def test_a_worker_that_stalls_mid_frame_is_kicked_for_wall_time(spawn: Spawn) -> None:
    worker = spawn("import os, time\ndef f(view):\n    os.write(4, b'\\x10\\0\\0\\0\\0'); time.sleep(60)")
    assert verdict_of(worker, "f", budget=Budget(cpu=0.3, wall=0.5)).ending is Ending.WALL_TIMEOUT


@pytest.mark.parametrize(
    "written",
    [
        "b'\\xff' * 9",
        "b'\\xff\\xff\\xff\\x7f' + b'\\0' * 5",
        "b'\\0' * 9",
        "b'\\1\\0\\0\\0' + b'\\0' * 5 + b'\\xc1'",
        "b'\\0' * 100",
    ],
)
def test_bytes_written_to_the_pipe_by_hand_are_no_answer(spawn: Spawn, written: str) -> None:
    worker = spawn(f"import os, time\ndef f(view):\n    os.write(4, {written}); time.sleep(5)")
    assert verdict_of(worker, "f", budget=SMALL).ending is Ending.PROTOCOL


def test_an_answer_sent_before_its_question_does_not_count(spawn: Spawn) -> None:
    """It replays the frame of its last answer, the likeliest guess at the next one's number."""
    worker = spawn("""
        import os, struct
        def f(view):
            if view == 1:
                real = os.write
                def spy(fd, data):
                    n = real(fd, data)
                    length, seq, kind = struct.unpack_from("<IIB", data)
                    for guess in (seq, (seq + 1) % 2**32):
                        real(fd, struct.pack("<IIB", length, guess, kind) + data[9:])
                    return n
                os.write = spy
            return view
    """)
    ending = None
    try:
        worker.call("f", 1)
        worker.call("f", 2)
    except Misconduct as caught:
        ending = caught.verdict.ending
    assert ending is Ending.PROTOCOL


def test_an_adapter_turns_frames_into_arguments_and_back(spawn: Spawn) -> None:
    worker = spawn("def f(pair): return pair\ndef g(pair): return pair.total()", adapter="tests.sandbox.adapters:pairs")
    assert worker.call("f", Pair(2, 3)) == {"total": 5}
    assert worker.call("g", Pair(2, 3), reply=int) == 5


def test_a_literal_reply_names_what_is_allowed(spawn: Spawn) -> None:
    worker = spawn("def f(view): return 'maybe'")
    assert "Literal['pass', 'exchange']" in verdict_of(worker, "f", reply=Literal["pass", "exchange"]).detail


def test_each_worker_has_its_own_random_stream(spawn: Spawn) -> None:
    source = "import random\ndef f(view): return random.random()"
    first, second, again = (spawn(source, seed=seed, file=f"b{i}.py") for i, seed in enumerate((1, 2, 1)))
    assert first.call("f") == again.call("f") != second.call("f")


def test_the_hash_seed_is_fixed(spawn: Spawn) -> None:
    source = "def f(view): return hash('referee')"
    assert spawn(source).call("f") == spawn(source).call("f")
    assert spawn(source).call("f") != hash("referee")


def test_the_whole_standard_library_imports_inside(spawn: Spawn) -> None:
    worker = spawn("""
        import importlib, sys
        SKIP = {"antigravity", "this", "idlelib", "lib2to3", "turtledemo"}
        def f(view):
            missing = []
            for name in sorted(sys.stdlib_module_names - SKIP):
                if name.startswith(("_", "test")) or name in view: continue
                try: importlib.import_module(name)
                except (ModuleNotFoundError, PermissionError, OSError) as e: missing.append(f"{name}: {e!r}")
            return missing
    """)
    import importlib
    import sys

    absent = []  # what this interpreter was built without is absent outside as well
    for name in sorted(sys.stdlib_module_names):
        try:
            if importlib.util.find_spec(name) is None:
                absent.append(name)
        except (ImportError, ValueError):
            absent.append(name)
    absent += ["tkinter", "turtle", "dbm", "curses", "readline"]  # need libraries the host may lack
    assert worker.call("f", absent, budget=Budget(cpu=20)) == []
