"""Matches on a Dask cluster: a real scheduler and real workers on this machine, some of which come to harm."""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from click.testing import CliRunner

from referee import games
from referee.cli import main
from referee.entrants import parse
from referee.match import Entrant, Terms
from referee.record import read
from referee.referee import RefereeError
from referee.tournament.chunk import Chunk, play_chunk, versions
from referee.tournament.cluster import Cluster
from referee.tournament.connection import ClusterError
from referee.tournament.formats import Plan
from referee.tournament.lanes import Lanes
from referee.tournament.match import Rules, Seat
from referee.tournament.outcome import Outcome, Pairing
from referee.tournament.spec import Rooms, Spec
from referee.tournament.stage import Call, Job, Report
from sandbox import ALL_LAYERS, Layer, Zygote
from tests.family import descendants

Client = pytest.importorskip("distributed").Client

ROOT = Path(__file__).parents[2]
CHEAT = ROOT / "players" / "examples" / "cheat.py"
RULES = Rules(game="fish", config={"rows": 4, "columns": 4}, terms=Terms())
MATCHES = 110  # six chunks: three for each of two workers


class Yard:
    """A scheduler, a worker that lasts, and those that a test adds; each with a session of its own."""

    def __init__(self, folder: Path) -> None:
        self._logs = folder
        self._started: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        words = ["--host=127.0.0.1", f"--port={self.address.rpartition(':')[2]}", "--no-dashboard"]
        self.scheduler = self._start("distributed.cli.dask_scheduler", *words)
        self.lasting = self.worker()

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start("referee", "cluster", "worker", self.address, "--jobs=1", "--", "--host=127.0.0.1")

    def _start(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        with open(self._logs / f"{len(self._started)}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *words],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"},
                stderr=log,
                stdout=log,
                start_new_session=True,
            )
        self._started.append(process)
        return process

    def await_workers(self, count: int) -> None:
        with Client(self.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=30)

    def close(self) -> None:
        families = [pid for process in self._started for pid in (process.pid, *descendants(process.pid))]
        for process in reversed(self._started):
            process.terminate()
            process.wait(30)
        assert gone(families)


def gone(pids: list[int]) -> bool:
    """Soon, that is: who is told to die needs a moment."""
    processes = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            processes.append(psutil.Process(pid))
    return not psutil.wait_procs(processes, timeout=10)[1]


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    yard = Yard(tmp_path_factory.mktemp("logs"))
    try:
        yield yard
    finally:
        yard.close()


@pytest.fixture(scope="module")
def entrants() -> list[Entrant]:
    return parse(games.get("fish"), ["greedy", "random", str(CHEAT)])


def jobs(entrants: list[Entrant], folder: Path | None = None, count: int = MATCHES) -> list[Job]:
    """The pairs in turn."""
    players = tuple(map(Seat.of, entrants))
    rooms = Rooms(Spec(rules=RULES, format="round-robin", plan=Plan(seats=2, games=1), seed=5, players=players))
    found = []
    for number in range(count):
        first = number % len(players)
        pairing = Pairing((players[first].name, players[first - 1].name), deal=number)
        record = str(folder / f"{number}.jsonl") if folder else None
        found.append(Job(match=rooms.match(number, pairing), record=record))
    return found


def timeless(reports: list[tuple[Job, Report]]) -> dict[int, Outcome]:
    """The outcome of each match, which must be there once."""
    found: dict[int, Outcome] = {}
    for job, report in reports:
        assert report.outcome is not None, report.fault
        assert job.match is not None
        assert report.outcome.number == job.match.number
        assert job.match.number not in found
        found[job.match.number] = msgspec.structs.replace(report.outcome, cpu={})
    return found


@pytest.fixture(scope="module")
def undisturbed(entrants: list[Entrant]) -> dict[int, Outcome]:
    with Lanes(RULES, entrants) as lanes:
        return timeless(list(lanes.do(jobs(entrants))))


def kill_the_command(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()


def interrupt_it_as_a_terminal_does(worker: subprocess.Popen[bytes]) -> None:
    os.killpg(worker.pid, signal.SIGINT)


def kill_its_playing_process(worker: subprocess.Popen[bytes]) -> None:
    os.kill(zygotes(worker)[0].ppid(), signal.SIGKILL)


def kill_its_zygote(worker: subprocess.Popen[bytes]) -> None:
    zygotes(worker)[0].kill()


def zygotes(worker: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Those of the family that are started with -S, eldest first; nobody else's interpreter is."""
    found = []
    for pid in descendants(worker.pid):
        with contextlib.suppress(psutil.Error):
            if "-S" in (process := psutil.Process(pid)).cmdline():
                found.append(process)
    return found


@pytest.mark.parametrize(
    "harm", [kill_the_command, interrupt_it_as_a_terminal_does, kill_its_playing_process, kill_its_zygote]
)
def test_every_result_arrives_once_whatever_happens_to_a_worker(
    harm: Callable[[subprocess.Popen[bytes]], None],
    yard: Yard,
    entrants: list[Entrant],
    undisturbed: dict[int, Outcome],
    tmp_path: Path,
) -> None:
    victim = yard.worker()
    yard.await_workers(2)
    reports, family = [], list[int]()
    with Cluster(yard.address, RULES, entrants) as cluster:
        for done in cluster.do(jobs(entrants, tmp_path)):
            reports.append(done)
            if not family:
                assert zygotes(victim)  # it has begun to play
                family = descendants(victim.pid)
                harm(victim)
    assert timeless(reports) == undisturbed
    for number in range(MATCHES):
        read(tmp_path / f"{number}.jsonl").verify()
    victim.terminate()
    victim.wait(30)
    assert gone(family)


def test_matches_that_are_alike_are_each_played(yard: Yard, entrants: list[Entrant]) -> None:
    job = jobs(entrants, count=1)[0]
    with Cluster(yard.address, RULES, entrants) as cluster:
        reports = [report for _, report in cluster.do([job] * 40)]
    assert len(reports) == 40
    spent = [tuple(report.outcome.cpu.values()) for report in reports if report.outcome]
    assert len(set(spent)) > 20  # by which one chunk of them is not a copy of the other


def test_a_player_is_called_on_a_worker_too(yard: Yard, entrants: list[Entrant]) -> None:
    calls = [Job(call=Call(player=entrant.name, method="tournament_start")) for entrant in entrants]
    with Cluster(yard.address, RULES, entrants) as cluster:
        assert sorted((job.call.player, report) for job, report in cluster.do(calls) if job.call) == sorted(
            (entrant.name, Report()) for entrant in entrants
        )


def test_jobs_are_taken_only_as_the_workers_need_them(yard: Yard, entrants: list[Entrant]) -> None:
    taken = 0

    def coming() -> Iterator[Job]:
        nonlocal taken
        for job in jobs(entrants, count=1000):
            taken += 1
            yield job

    with Cluster(yard.address, RULES, entrants) as cluster:
        next(cluster.do(coming()))
    assert 20 <= taken <= 200


def test_a_match_that_ends_its_workers_is_void_and_costs_no_other(yard: Yard, entrants: list[Entrant]) -> None:
    from tests.tournament.murderer import Murderer

    murderer: Any = Murderer()
    field = [*entrants, Entrant("murderer", murderer)]
    bad = jobs([field[0], field[-1]], count=1)[0]
    assert bad.match is not None
    bad = msgspec.structs.replace(bad, match=msgspec.structs.replace(bad.match, number=30))
    with Cluster(yard.address, RULES, field) as cluster:
        reports = list(cluster.do([*jobs(entrants, count=30), bad]))
    ((void, fault),) = [(job, report.fault) for job, report in reports if report.fault]
    assert void == bad
    assert "died" in fault
    assert len(timeless([done for done in reports if not done[1].fault])) == 30


def test_another_version_is_refused_by_name(
    yard: Yard, entrants: list[Entrant], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = platform.python_version_tuple()
    monkeypatch.setattr(platform, "python_version_tuple", lambda: ("3", "1", "4"))
    with (
        pytest.raises(ClusterError, match=rf"has Python 3\.{ours[1]}, not 3\.1"),
        Cluster(yard.address, RULES, entrants),
    ):
        pass


def test_the_address_of_a_worker_is_no_schedulers(yard: Yard, entrants: list[Entrant]) -> None:
    yard.await_workers(1)
    with Client(yard.address, set_as_default=False) as client:
        worker = next(iter(client.nthreads()))
    with pytest.raises(ClusterError, match="there is a worker"), Cluster(worker, RULES, entrants):
        pass


def test_a_scheduler_that_is_gone_ends_it_with_a_sentence(entrants: list[Entrant], tmp_path: Path) -> None:
    yard = Yard(tmp_path)
    try:
        yard.await_workers(1)
        with Cluster(yard.address, RULES, entrants) as cluster:
            coming = cluster.do(jobs(entrants, count=1000))
            next(coming)
            yard.scheduler.kill()
            with pytest.raises(RefereeError, match=f"the scheduler at {yard.address} is gone"):
                list(coming)
    finally:
        yard.close()


def test_a_worker_without_the_layers_says_so(entrants: list[Entrant], monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = functools.partial(Zygote, layers=ALL_LAYERS - {Layer.SECCOMP})
    monkeypatch.setattr("referee.referee.Zygote", fewer)
    chunk = Chunk(versions=versions(), rules=RULES, entrants=tuple(entrants), jobs=tuple(jobs(entrants, count=2)))
    with pytest.raises(RefereeError, match=rf"{socket.gethostname()} cannot play(.|\n)*--accept-missing-layers"):
        play_chunk(chunk)


def test_a_worker_that_joined_late_refuses_another_version(entrants: list[Entrant]) -> None:
    chunk = Chunk(versions={"referee": "0.0"}, rules=RULES, entrants=(), jobs=tuple(jobs(entrants, count=1)))
    with pytest.raises(RefereeError, match=rf"referee {versions()['referee']}, not 0\.0"):
        play_chunk(chunk)


def told(words: list[str]) -> tuple[int, str]:
    done = CliRunner().invoke(main, words)
    return done.exit_code, done.stderr


def tournament(address: str, folder: Path) -> list[str]:
    return ["tournament", "fish", "greedy", "random", f"--cluster={address}", f"--journal={folder / 'j.db'}"]


def test_an_address_where_nobody_answers_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.connection._PATIENCE", 1.0)
    with socket.socket() as silent:  # it is connected to, but never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        code, said = told(tournament(address, tmp_path))
    assert code == 2
    assert f"No scheduler answers at {address}" in said
    assert "dask scheduler" in said


@pytest.mark.parametrize("address", ["", "a b", "http://127.0.0.1:8786", "tcp://host:port"])
def test_what_can_be_no_address_is_a_mistake(address: str, tmp_path: Path) -> None:
    for words in (tournament(address, tmp_path), ["cluster", "worker", address]):
        code, said = told(words)
        assert code == 2
        assert "tcp://host:8786" in said


def test_without_the_extra_it_is_said_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for words in (tournament("tcp://127.0.0.1:8786", tmp_path), ["cluster", "worker", "tcp://127.0.0.1:8786"]):
        code, said = told(words)
        assert code == 2
        assert "pip install 'referee[cluster]'" in said
