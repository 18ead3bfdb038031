"""What the machine and the caller do to the box: interrupts, forks, threads, delays. Nobody innocent is blamed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from sandbox import ALL_LAYERS, BoxError, Budget, Layer, Misconduct, Zygote
from sandbox.messages import Ask

HOSTILE = Path(__file__).parents[2] / "players" / "hostile"
LONG = Budget(cpu=5.0, wall=60.0)


@pytest.fixture
def own() -> Iterator[Zygote]:
    with Zygote() as zygote:
        yield zygote


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "bot.py"
    path.write_text("import time\ndef f(view): return view\ndef nap(view): time.sleep(view); return 'awake'\n")
    return path


def test_an_answer_that_nobody_waited_for_is_not_taken_for_anothers(own: Zygote, bot: Path) -> None:
    """As after Ctrl-C between a question to the zygote and its answer."""
    first, second = own.spawn(bot), own.spawn(bot)
    own._wire.say(Ask(first.number, 10_000))
    second.kill()
    assert not psutil.pid_exists(second.pid)
    assert first.call("f", 1) == 1


def test_the_word_of_a_new_worker_that_was_lost_is_not_waited_for(own: Zygote, bot: Path) -> None:
    """As after Ctrl-C while it was taken in."""
    own.settle()
    own._order()
    own._wire.hear()
    own._doubtful = True
    own.settle()
    with own.spawn(bot) as first, own.spawn(bot) as second:
        assert [first.call("f", 1), second.call("f", 2)] == [1, 2]


def test_a_child_forked_while_another_thread_uses_the_zygote_does_not_hang(own: Zygote) -> None:
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with own._lock:
            holding.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait()
    child = os.fork()
    if child == 0:
        own.close()
        os._exit(7)
    done.set()
    thread.join()
    ended = psutil.Process(child).wait(timeout=20)
    assert ended == 7


def test_a_forked_child_that_closes_leaves_its_parents_folders(tmp_path: Path) -> None:
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "strategy.py").write_text("def f(view):\n    import late\n    return late.VALUE\n")
    (folder / "late.py").write_text("VALUE = 3\n")
    fewer = ALL_LAYERS - {Layer.NAMESPACES}
    with Zygote(layers=fewer, accept_missing_layers=True) as zygote, zygote.spawn(folder) as worker:
        child = os.fork()
        if child == 0:
            zygote.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert worker.call("f") == 3


def test_a_spare_that_is_killed_is_nobodys_fault(own: Zygote, bot: Path) -> None:
    own.settle()
    os.kill(own._spares[0].pid, signal.SIGKILL)
    with pytest.raises(BoxError):
        own.spawn(bot)
    with own.spawn(bot) as worker:
        assert worker.call("f", 1) == 1


def test_an_adapter_that_is_not_there_is_our_fault(own: Zygote, bot: Path) -> None:
    with pytest.raises(BoxError, match="no adapter 'nothing:here'"):
        own.spawn(bot, adapter="nothing:here")


def test_a_second_thread_may_not_ask_meanwhile_but_may_kill(own: Zygote, bot: Path) -> None:
    worker = own.spawn(bot)
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            worker.call("nap", 60, budget=LONG)
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while worker._lock.acquire(blocking=False):  # until the other thread asks
        worker._lock.release()
        time.sleep(0.01)
    with pytest.raises(BoxError, match="another thread"):
        worker.call("f", 1)
    worker.kill()
    thread.join(20)
    assert isinstance(caught[0], BoxError)
    assert not isinstance(caught[0], Misconduct)
    assert not psutil.pid_exists(worker.pid)


def test_threads_share_a_zygote(own: Zygote, bot: Path) -> None:
    wrong: list[object] = []

    def play(number: int) -> None:
        for turn in range(10):
            with own.spawn(bot) as worker:
                if worker.call("f", [number, turn], budget=LONG) != [number, turn]:
                    wrong.append((number, turn))

    threads = [threading.Thread(target=play, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong
    assert not any(thread.is_alive() for thread in threads)


def test_a_referee_that_was_stopped_does_not_blame_the_worker(tmp_path: Path, bot: Path) -> None:
    script = textwrap.dedent("""
        import sys
        from sandbox import Budget, Zygote
        with Zygote() as zygote, zygote.spawn(sys.argv[1]) as worker:
            print("asking", flush=True)
            print(worker.call("nap", 0.5, budget=Budget(cpu=1.0, wall=1.5)), flush=True)
    """)
    referee = subprocess.Popen([sys.executable, "-c", script, str(bot)], stdout=subprocess.PIPE, text=True)
    assert referee.stdout is not None
    assert referee.stdout.readline() == "asking\n"
    referee.send_signal(signal.SIGSTOP)
    time.sleep(3)
    referee.send_signal(signal.SIGCONT)
    assert referee.communicate(timeout=60)[0] == "awake\n"


def test_what_a_worker_waited_in_one_call_is_no_excuse_in_the_next(own: Zygote, bot: Path) -> None:
    """It crowds its core with its own threads in two calls, and sleeps in the third."""
    bot.write_text((HOSTILE / "time_hoard.py").read_text() + "def f(view): return attack()\n")
    with own.spawn(bot) as worker:
        for _ in range(2):
            worker.call("f", budget=LONG)
        with pytest.raises(Misconduct, match="wall-timeout"):
            worker.call("f", budget=Budget(cpu=1.0, wall=0.5))
        assert worker.last.wall < 1.0  # it has more than a second to its credit


def test_many_workers_have_users_of_their_own(bot: Path) -> None:
    """More than a zygote has slots for is not tried; all at once are."""
    with Zygote(spares=0) as zygote:
        workers = [zygote.spawn(bot) for _ in range(70)]
        users = {psutil.Process(worker.pid).uids().real for worker in workers}
        if Layer.UID in zygote.layers:
            assert len(users) == 70


def test_a_machine_without_a_temporary_directory_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    before = psutil.Process().num_fds()
    with pytest.raises(BoxError):
        Zygote()
    assert psutil.Process().num_fds() == before
