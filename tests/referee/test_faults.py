"""Faults in the machinery: the game is void and nobody is blamed, or it ends with a clear message and no orphan."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from referee import games
from referee.games.game import Game
from referee.match import Entrant, Terms
from referee.record import read
from referee.recorder import KickLine
from referee.referee import Referee, RefereeError, zygote_for
from sandbox import Budget, Zygote
from tests.family import descendants
from tests.referee.conftest import Zygotes
from tests.referee.table import SLEEPS, file, play, reference, strategy, trusted


class At:
    """A player that does something in a turn, and otherwise plays."""

    def __init__(self, turn: int, does: Callable[[], object]) -> None:
        self._turn = turn
        self._does = does
        self._honest = strategy("fish")

    def __getattr__(self, method: str) -> Any:
        def answer(view: Any) -> Any:
            if view.turn == self._turn - 1:
                self._does()
            return getattr(self._honest, method)(view)

        return answer if hasattr(self._honest, method) else None


# The zygote


def processes(zygote: Zygote) -> list[psutil.Process]:
    return [psutil.Process(pid) for pid in (zygote.pid, *descendants(zygote.pid))]


def gone(those: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(those, timeout=10)[1]


@pytest.mark.parametrize("victim", [0, 1], ids=["its guard", "itself"])
def test_a_zygote_that_is_killed_between_turns_makes_the_game_void(victim: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with zygote_for(games.get("fish")) as zygote:
        seen: list[psutil.Process] = []

        def kill() -> None:
            seen.extend(processes(zygote))
            seen[victim].kill()
            psutil.wait_procs(seen[victim:], timeout=10)

        entrants = [trusted("a", At(11, kill)), reference("fish", "b")]
        with pytest.raises(RefereeError, match=r"void, and nobody is to blame: the zygote has died"):
            play("fish", entrants, zygote, record=str(path))
        assert gone(seen)
    assert len(seen) >= 3
    record = read(path)
    record.verify()
    assert record.turns == 11
    assert not any(isinstance(line, KickLine) for line in record.lines)


def test_a_zygote_that_is_killed_while_a_player_thinks_makes_the_game_void(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    terms = Terms(move=Budget(cpu=30.0, wall=60.0))
    with zygote_for(games.get("fish")) as zygote:
        seen = processes(zygote)

        def kill_when_it_sleeps() -> None:
            while not path.exists() or path.read_bytes().count(b"\n") < 15:
                threading.Event().wait(0.01)
            seen.extend(processes(zygote))
            seen[0].kill()

        killer = threading.Thread(target=kill_when_it_sleeps)
        killer.start()
        with pytest.raises(RefereeError, match="the zygote has died"):
            play("fish", [file(tmp_path, "a", SLEEPS), reference("fish", "b")], zygote, terms=terms, record=str(path))
        killer.join()
        assert gone(seen)
    assert not any(isinstance(line, KickLine) for line in read(path).lines)


def test_a_void_game_can_be_played_again(tmp_path: Path) -> None:
    fish = games.get("fish")
    entrants = [reference("fish", "a"), reference("fish", "b")]
    with zygote_for(fish) as zygote:
        psutil.Process(zygote.pid).kill()
        with pytest.raises(RefereeError):
            Referee(fish, entrants, zygote=zygote).run()
    with zygote_for(fish) as zygote:
        assert Referee(fish, entrants, zygote=zygote).run().kicked == ()


# The record


def test_a_disk_that_is_full_from_the_start_makes_the_game_void(zygotes: Zygotes) -> None:
    entrants = [reference("fish", "a"), reference("fish", "b")]
    with pytest.raises(RefereeError, match=r"void, and nobody is to blame: .*No space left on device"):
        play("fish", entrants, zygotes("fish"), record="/dev/full")


def test_a_disk_that_fills_up_during_the_game_makes_it_void_and_what_was_written_stays_readable(
    zygotes: Zygotes, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"

    def fill() -> None:
        """From now on every write into the record finds the disk full."""
        (descriptor,) = [
            int(link.name) for link in Path("/proc/self/fd").iterdir() if os.path.realpath(link) == str(path)
        ]
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, descriptor)
        os.close(full)

    entrants = [reference("fish", "a"), trusted("b", At(5, fill)), reference("fish", "c")]
    with pytest.raises(RefereeError, match="No space left on device"):
        play("fish", entrants, zygotes("fish"), record=str(path))
    record = read(path)
    record.verify()
    assert record.turns == 4
    assert record.result is None


def test_a_line_that_is_written_only_in_part_makes_the_game_void(
    zygotes: Zygotes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.recorder import Recorder

    class Short:
        name = "game.jsonl"

        def write(self, data: bytes) -> int:
            return len(data) - 1

        def close(self) -> None:
            pass

    begin = Recorder.__init__

    def shortened(self: Any, *args: Any) -> None:
        begin(self, *args)
        self._file.close()
        self._file = Short()

    monkeypatch.setattr(Recorder, "__init__", shortened)
    entrants = [reference("fish", "a"), reference("fish", "b")]
    with pytest.raises(RefereeError, match=r"game\.jsonl could not be written whole: is the disk full\?"):
        play("fish", entrants, zygotes("fish"), record=str(tmp_path / "game.jsonl"))


def test_a_torn_last_line_is_left_out(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    entrants: list[Entrant] = [reference("fish", "a"), reference("fish", "b")]
    play("fish", entrants, zygotes("fish"), record=str(path))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:8]) + lines[8][:-10])
    record = read(path)
    record.verify()
    assert record.turns == 7
    assert record.result is None


# The rules


def test_a_mistake_in_the_rules_makes_the_game_void(zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch) -> None:
    fish: Game = games.get("fish")
    state = type(fish.setup(["a", "b"]))
    honest = state.commit

    def mistaken(self: Any, action: Any) -> Any:
        if self.turn == 9:
            raise ZeroDivisionError("our own")
        return honest(self, action)

    monkeypatch.setattr(state, "commit", mistaken)
    entrants = [reference("fish", "a"), reference("fish", "b")]
    with pytest.raises(RefereeError, match="nobody is to blame: ZeroDivisionError: our own"):
        play("fish", entrants, zygotes("fish"))


def test_a_person_who_interrupts_is_no_fault_of_the_machinery() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("fish", [trusted("a", At(5, interrupt)), trusted("b", strategy("fish"))])
