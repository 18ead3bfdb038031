"""`tournament_start()` and `tournament_end(won)`: each called once, and who fails there is out or no winner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from referee.match import Entrant
from referee.tournament.journal import Journal
from referee.tournament.lanes import Lanes
from referee.tournament.stage import Job, Report
from referee.tournament.tournament import Tournament
from tests.referee.table import file, source
from tests.tournament.arena import LAST, RULES, held, rows, spec

# Its first move is illegal: it loses to whoever is legal.
LOSER = source("fish", "def movement(view): return [[0, 0], [0, 0]]\n")


def tournament(path: Path, entrants: list[Entrant], format: str = "round-robin") -> Tournament:
    """Held, and its journal open for looking."""
    with Lanes(RULES, entrants, 1) as lanes:
        held(path, spec(entrants, format), lanes)
    return Tournament(Journal.read(path))


def test_hooks_are_called_once_each_with_who_won(tmp_path: Path) -> None:
    """Told apart by how they fail, which is all that leaves the box."""
    start = source("fish", "def tournament_start(): raise KeyError('started')\n")
    end = source("fish", "def tournament_end(won): raise KeyError(repr(won))\n")
    found = tournament(
        tmp_path / "a.db",
        [
            file(tmp_path, "starts", start),
            file(tmp_path, "wins", end),
            file(tmp_path, "loses", LOSER + "def tournament_end(won): raise KeyError(repr(won))\n"),
            file(tmp_path, "silent", LOSER),
        ],
    )
    failures = found.failures()
    assert {player: kick.method for player, kick in failures.items()} == {
        "starts": "tournament_start",
        "wins": "tournament_end",
        "loses": "tournament_end",
    }
    assert "started" in failures["starts"].detail
    assert "True" in failures["wins"].detail
    assert "False" in failures["loses"].detail
    assert set(found.journal.calls("tournament_start")) == {"starts", "wins", "loses", "silent"}
    assert set(found.journal.calls("tournament_end")) == {"wins", "loses", "silent"}


def test_who_fails_at_the_start_plays_no_match_and_is_last(tmp_path: Path) -> None:
    bad = file(tmp_path, "aaa", source("fish", "def tournament_start(): 1 / 0\n"))
    found = tournament(tmp_path / "a.db", [bad, file(tmp_path, "bob", source("fish")), file(tmp_path, "cid", LOSER)])
    assert [outcome.seats for _, outcome in rows(tmp_path / "a.db")] == [("bob", "cid"), ("cid", "bob")]
    standings = found.standings()
    assert [row.player for row in standings] == ["bob", "cid", "aaa"]
    assert standings[-1].kicks == {"exception": 1}
    assert found.winners() == ["bob"]


@pytest.mark.parametrize("hook", ["end(won): 1 / 0", "end(): pass", "end(won):\n    import os\n    os._exit(0)"])
def test_a_winner_that_fails_at_the_end_is_no_winner_and_nobody_is_in_its_place(hook: str, tmp_path: Path) -> None:
    entrants = [
        file(tmp_path, "ann", source("fish", f"def tournament_{hook}\n")),
        file(tmp_path, "bob", LOSER),
    ]
    found = tournament(tmp_path / "a.db", entrants)
    assert [outcome.first for _, outcome in rows(tmp_path / "a.db")] == [("ann",), ("ann",)]
    assert found.winners() == []
    assert found.standings()[0].player == "bob"


def test_a_hook_that_takes_the_wrong_arguments_fails_and_its_file_is_not_broken(tmp_path: Path) -> None:
    bad = file(tmp_path, "ann", source("fish", "def tournament_start(when): pass\n"))
    found = tournament(tmp_path / "a.db", [bad, file(tmp_path, "bob", source("fish"))])
    assert list(found.failures()) == ["ann"]
    assert found.broken() == {}
    assert "tournament_start" in found.failures()["ann"].detail
    assert found.table.played == 0
    assert found.winners() == ["bob"]


def test_a_file_that_cannot_play_is_found_before_the_first_match_and_plays_all_of_them(tmp_path: Path) -> None:
    texts = {"syntax": "def placement(view:\n", "half": "def placement(view): return view.free_tiles()[0]\n"}
    entrants = [file(tmp_path, name, text) for name, text in texts.items()]
    found = tournament(tmp_path / "a.db", [*entrants, file(tmp_path, "zoe", source("fish"))])
    assert set(found.broken()) == {"syntax", "half"}
    assert found.failures() == {}
    assert [(row.player, row.losses, row.kicks) for row in found.standings()] == [
        ("zoe", 0, {}),
        ("half", 4, {"load-error": 4}),
        ("syntax", 4, {"load-error": 4}),
    ]
    assert found.winners() == ["zoe"]


def test_nobody_wins_where_no_file_loads(tmp_path: Path) -> None:
    found = tournament(tmp_path / "a.db", [file(tmp_path, name, "1 +") for name in ("ann", "bob")])
    assert found.table.played == 2
    assert found.winners() == []


def test_hooks_are_not_called_again_when_a_tournament_goes_on(tmp_path: Path) -> None:
    entrants = [file(tmp_path, "ann", source("fish")), file(tmp_path, "bob", LAST)]
    planned = spec(entrants)
    with Lanes(RULES, entrants, 1) as lanes:
        with Journal.open(tmp_path / "a.db", planned) as journal:
            for name in ("ann", "bob"):
                journal.call(name, "tournament_start", None)
        asked: list[str] = []

        class Listening:
            def do(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Report]]:
                seen = list(jobs)
                asked.extend(job.call.method for job in seen if job.call)
                return lanes.do(seen)

        held(tmp_path / "a.db", planned, Listening())
    assert asked == ["tournament_end", "tournament_end"]
