"""A whole tournament, with real lanes and a real journal: interrupted anywhere, it ends as if it had not been."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.match import Entrant
from referee.tournament.journal import Journal, JournalError
from referee.tournament.lanes import Lanes
from referee.tournament.spec import Spec
from referee.tournament.tournament import Tournament
from tests.referee.table import file
from tests.tournament.arena import (
    RULES,
    SLOW,
    Assassin,
    Halted,
    Halting,
    held,
    honest,
    rogue,
    rows,
    spec,
    table,
)

ROOT = Path(__file__).parents[2]


class Arena:
    """Five players and the lanes they play in."""

    def __init__(self, entrants: list[Entrant], lanes: Lanes) -> None:
        self.entrants = entrants
        self.lanes = lanes


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("players")
    entrants = [*honest(folder, "ann", "bob", "cid", "dot"), rogue(folder, "process_exit")]
    with Lanes(RULES, entrants, 2) as lanes:
        yield Arena(entrants, lanes)


PLANS: dict[str, dict[str, Any]] = {
    "round-robin": {"games": 4},
    "gauntlet": {"games": 6},
    "swiss": {"games": 2, "rounds": 4},
    "knockout": {"games": 1, "seats": 3},
    "sprt": {"games": 40, "elo1": 400.0},
}


@pytest.mark.parametrize("format", PLANS)
def test_a_tournament_that_is_stopped_again_and_again_ends_like_an_undisturbed_one(
    format: str, arena: Arena, tmp_path: Path
) -> None:
    entrants = arena.entrants[:2] if format == "sprt" else arena.entrants
    planned = spec(entrants, format, **PLANS[format])
    whole, pieces = tmp_path / "whole.db", tmp_path / "pieces.db"
    held(whole, planned, arena.lanes)
    stops = 0
    for jobs in (3, 1, 5, 4, 1000):
        try:
            held(pieces, planned, Halting(arena.lanes, jobs))
        except Halted:
            stops += 1
    assert stops >= 2
    assert rows(pieces) == rows(whole)
    assert table(pieces) == table(whole)
    with Journal.read(whole) as one, Journal.read(pieces) as other:
        assert one.finished
        assert one.places == other.places
        assert Tournament(one).winners() == Tournament(other).winners()


def test_a_finished_tournament_plays_nothing_more(arena: Arena, tmp_path: Path) -> None:
    planned = spec(arena.entrants)
    held(tmp_path / "a.db", planned, arena.lanes)
    held(tmp_path / "a.db", planned, Halting(arena.lanes, 0))


def test_each_match_has_its_record_and_an_id_of_its_own(arena: Arena, tmp_path: Path) -> None:
    planned = spec(arena.entrants)
    held(tmp_path / "a.db", planned, arena.lanes)
    found = rows(tmp_path / "a.db")
    assert [outcome.number for _, outcome in found] == list(range(20))
    assert len({identity for identity, _ in found}) == 20
    with Journal.read(tmp_path / "a.db") as journal:
        for _, outcome in found:
            header, *_, result = map(msgspec.json.decode, journal.record(outcome.number).read_bytes().splitlines())
            assert tuple(player["name"] for player in header["players"]) == outcome.seats
            assert result["scores"] == outcome.scores


def test_a_journal_whose_matches_are_not_the_ones_that_are_due_is_refused(arena: Arena, tmp_path: Path) -> None:
    planned = spec(arena.entrants)
    with pytest.raises(Halted):
        held(tmp_path / "a.db", planned, Halting(arena.lanes, 9))
    with Journal.open(tmp_path / "a.db", planned) as journal:
        journal._connection.execute("UPDATE matches SET id = 'forged' WHERE number = 1")
        with pytest.raises(JournalError, match=r"Match 1 .* is not the one that is due"):
            Tournament(journal).run(arena.lanes)


def test_a_match_that_ends_three_lanes_is_void_counted_as_such_and_nothing_else_suffers(tmp_path: Path) -> None:
    entrants = [file(tmp_path, name, SLOW) for name in ("ann", "bob")]
    path, planned = tmp_path / "a.db", spec(entrants, games=4)
    with Journal.open(path, planned) as journal:
        record = journal.record(2)
        with Lanes(RULES, entrants, 2) as lanes, Assassin(record, 3) as assassin:
            tournament = Tournament(journal)
            tournament.run(lanes)
    assert len(assassin.attempts) == 3
    assert (tournament.table.played, tournament.table.void) == (3, 1)
    assert [outcome.number for _, outcome in rows(path) if outcome.void] == [2]
    assert sum(row["wins"] + row["draws"] + row["losses"] for row in table(path)) == 6


def test_all_that_decides_a_match_is_in_its_id(arena: Arena) -> None:
    from referee.tournament.outcome import Pairing
    from referee.tournament.spec import Rooms

    planned = spec(arena.entrants)
    pairing = Pairing(("ann", "bob"), 0)

    def identity(spec: Spec, number: int = 0, pairing: Pairing = pairing) -> str:
        return Rooms(spec).match(number, pairing).id

    other = msgspec.structs.replace
    others = [
        identity(planned, number=1),
        identity(planned, pairing=Pairing(("bob", "ann"), 0)),
        identity(planned, pairing=Pairing(("ann", "bob"), 1)),
        identity(other(planned, seed=8)),
        identity(other(planned, rules=other(RULES, config={"rows": 4}))),
        identity(other(planned, rules=other(RULES, terms=other(RULES.terms, allow=("numpy",))))),
        identity(other(planned, players=(other(planned.players[0], sha256="0"), *planned.players[1:]))),
        identity(other(planned, players=(other(planned.players[0], parameters={"x": 1}), *planned.players[1:]))),
    ]
    assert identity(planned) == identity(planned)
    assert len({identity(planned), *others}) == 1 + len(others)


NOTEBOOK = """
import pathlib, sys
from referee.match import Entrant
from referee.tournament.journal import Journal
from referee.tournament.lanes import Lanes
from referee.tournament.tournament import Tournament
from tests.tournament.arena import RULES, spec

LAST = -1
def last(moves):
    return moves[LAST]

class Mine:
    def placement(self, view): return last(view.free_tiles())
    def movement(self, view): return last(view.legal_moves())

class First(Mine):
    def movement(self, view): return view.legal_moves()[0]

print("begun")
{guard}
    entrants = [Entrant("mine", Mine), Entrant("first", First)]
    with Journal.open(pathlib.Path("a.db"), spec(entrants)) as journal, Lanes(RULES, entrants, 2) as lanes:
        tournament = Tournament(journal)
        tournament.run(lanes)
        print(tournament.table.played, sum(sum(row.kicks.values()) for row in tournament.standings()))
"""


@pytest.mark.parametrize("way", ["guarded", "unguarded", "from stdin"])
def test_strategies_of_a_notebook_play_from_any_script_which_runs_once(way: str, tmp_path: Path) -> None:
    script = tmp_path / "notebook.py"
    script.write_text(NOTEBOOK.format(guard='if __name__ == "__main__":' if way == "guarded" else "if True:"))
    done = subprocess.run(
        [sys.executable, "-" if way == "from stdin" else str(script)],
        input=script.read_text(),
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "begun\n2 0\n"


def test_lanes_close_while_they_play(tmp_path: Path) -> None:
    """Whatever they do: the way out is the same for Ctrl-C, an error, or the end."""
    entrants = [file(tmp_path, name, SLOW) for name in ("ann", "bob")]
    with Journal.open(tmp_path / "a.db", spec(entrants, games=50)) as journal:

        def stop(tournament: Tournament) -> None:
            signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt), Lanes(RULES, entrants, 2) as lanes:
            Tournament(journal, stop).run(lanes)
        assert lanes.pids == []
        assert 1 <= len(list(journal)) <= 4
