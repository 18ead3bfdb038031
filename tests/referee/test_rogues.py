"""The rogues' gallery at the table: each hostile file plays a real game of each kind against two honest players."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import psutil
import pytest

from referee import games
from referee.match import Entrant, Terms
from referee.referee import Referee, Result, zygote_for
from sandbox import ALL_LAYERS, Budget, Ending, MiB, Submission, SubmissionError, Worker, Zygote
from tests.abuse import harness
from tests.abuse.case import CONTAINED, REFUSED, Case, Stage
from tests.abuse.table import CASES
from tests.referee.table import reference, strategy, trusted

GAMES = games.names()
EVERY = 3  # of the default run: each third case, the games in turn
MOST_CPU = 3.0  # seconds of the referee's own for one game; it takes a tenth
MOST_GROWTH = 60 * MiB  # of the referee's own memory over the whole run

# The attack is an answer where there is one, and goes on for as many moves as its case has rounds.
AT_THE_TABLE = """
def _once():
    raise NotImplementedError


def _attacking(play):
    def move(view):
        global _rounds
        if _rounds:
            _rounds -= 1
            try:
                said = attack()
            except Exception:
                if not _may_raise:
                    raise
            else:
                if said is not None:
                    return said
        return play(view)

    return move


placement = _attacking(lambda view: view.free_tiles()[0])
movement = initial_placement = move = take_turn = _attacking(lambda view: view.legal_moves()[0])
"""

# Why a case is not brought to a table.
LEFT_OUT = {
    "protocol_never_read": "a view is never as large as the question it leaves in the pipe",
    "protocol_read_the_head": "a view is never as large as the question it leaves in the pipe",
}


# Answers forged by hand, which the table of the box asks for as text or nothing. A game asks for a move, and finds
# that they are none before it comes to what else is wrong with them.
FORGED = {
    "time_answer_then_compute",
    "protocol_answer_twice",
    "protocol_thread_answers",
    "protocol_trailing_bytes",
    "protocol_partial_text",
    "protocol_surrogate_by_hand",
    "protocol_answer_and_die",
}


class Tables:
    """A zygote for each game, made when it is needed, and what they have at rest."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._zygotes: dict[str, Zygote] = {}

    def zygote(self, game: str) -> Zygote:
        if game not in self._zygotes:
            made = self._stack.enter_context(zygote_for(games.get(game), accept_missing_layers=True))
            self._zygotes[game] = made
            harness._settle(made)
            harness._at_rest[made] = len(psutil.Process(made.pid).children(recursive=True))
        return self._zygotes[game]

    def drop(self, game: str) -> None:
        """After a void game: the next case gets a new one."""
        harness._at_rest.pop(self._zygotes.pop(game), None)

    def close(self) -> None:
        for game in list(self._zygotes):
            self.drop(game)
        self._stack.close()


@pytest.fixture(scope="module")
def tables() -> Iterator[Tables]:
    made = Tables()
    for game in GAMES:
        made.zygote(game)
    before = psutil.Process().memory_info().rss
    yield made
    growth = psutil.Process().memory_info().rss - before
    made.close()
    harness.close()
    assert growth < MOST_GROWTH, f"the referee grew by {growth / MiB:.0f} MiB"


class Thinker:
    """An honest player that takes its time, so that a rogue has the rivals' turn to itself."""

    def __init__(self, honest: Any, pause: float, turns: int) -> None:
        self._honest, self._pause, self._turns = honest, pause, turns

    def __getattr__(self, method: str) -> Callable[[Any], Any]:
        honest = getattr(self._honest, method)

        def thoughtful(view: Any) -> Any:
            if self._turns:
                self._turns -= 1
                time.sleep(self._pause)
            return honest(view)

        return thoughtful


def submission(case: Case, stage: Stage) -> Submission:
    """The file as the table of the box's own tests has it, with a tail that attacks in its moves."""
    read = harness.submission(case, stage.folder)
    if case.stands_alone:
        return read
    told = "" if stage.target is None else f"target = {stage.target!r}\n"
    facts = f"{told}_rounds = {case.rounds}\n_may_raise = {case.may_raise}\n"
    source = read.source + (facts + AT_THE_TABLE).encode()
    return msgspec.structs.replace(read, files={**read.files, read.entry: source})


def terms(case: Case) -> Terms:
    """The case's own, but for what would be hard on honest players when the machine is busy."""
    wall = 1.5 if Ending.WALL_TIMEOUT in case.accepted else 15.0
    load = 0.5 if Ending.CPU_TIMEOUT in case.accepted else 5.0
    return Terms(
        move=Budget(cpu=max(case.budget.cpu, 0.5), wall=wall),
        setup=Budget(cpu=load, wall=wall),
        limits=case.limits,
    )


def seated(case: Case, game: str, rogue: Submission) -> list[Entrant]:
    """Two honest players, and the rogue on this seat or that."""
    honest = [reference(game, "ann"), reference(game, "ben")]
    if case.pause:
        honest[0] = trusted("ann", Thinker(strategy(game), case.pause, case.rounds))
    honest.insert(CASES.index(case) % 3, Entrant("rogue", rogue))
    return honest


def game_with(case: Case, game: str, stage: Stage) -> Result | None:
    """The game; None if nothing of the file may run."""
    if case.setup is not None:
        stage.target = case.setup(stage)
    try:
        rogue = submission(case, stage)
    except SubmissionError:
        return None
    players = seated(case, game, rogue)
    return Referee(games.get(game), players, seed=5, terms=terms(case), zygote=stage.zygote).run()


def plays(case: Case, game: str, tables: Tables) -> None:
    if not harness.expects_stop(case, ALL_LAYERS):
        pytest.skip("this machine lacks the only layer that knows of it")
    stage = Stage(tables.zygote(game), Path(tempfile.mkdtemp(prefix="rogues-")))
    remains = harness._Remains(stage.zygote)
    result, complaint = None, None
    try:
        spent = time.process_time()
        try:
            result = game_with(case, game, stage)
        finally:
            spent = time.process_time() - spent
            if result is not None:
                shown = SimpleNamespace(output=result.output["rogue"], usage=result.usage["rogue"])
                stage.worker = cast(Worker, shown)
                complaint = case.check(stage) if case.check is not None else None
            for neighbour in stage.neighbours:
                neighbour.kill()
        left = remains.left_behind()
    except Exception:
        tables.drop(game)
        raise
    finally:
        for bystander in stage.bystanders:
            bystander.kill()
            bystander.communicate()
        shutil.rmtree(stage.folder, ignore_errors=True)
    assert not complaint
    assert not left
    assert spent < MOST_CPU, f"the referee's own CPU time was {spent:.1f} s"
    if result is None:
        assert REFUSED in case.accepted
        return
    met_its_fate(case, game, result)


def at_the_wrong_table(case: Case, game: str) -> bool:
    """It defines, or says that it does, only what another game asks for: that may be what it fails by."""
    return case.stands_alone and not set(case.required) & set(games.get(game).required)


def due(case: Case, game: str) -> frozenset[str]:
    """What may become of it at the table of a game."""
    if case.file in FORGED:
        return case.accepted | {Ending.ILLEGAL_MOVE}
    if at_the_wrong_table(case, game):
        return case.accepted | {Ending.LOAD_ERROR, Ending.PROTOCOL}
    return case.accepted


def met_its_fate(case: Case, game: str, result: Result) -> None:
    verdicts = {kicked.player: kicked.verdict for kicked in result.kicked}
    told = {name: verdict.explain() for name, verdict in verdicts.items()}
    assert set(verdicts) <= {"rogue"}, told
    assert {"ann", "ben"} <= set().union(*result.ranking)
    assert result.state.ask() is None
    fate = str(verdicts["rogue"].ending) if verdicts else CONTAINED
    expected = due(case, game)
    assert fate in expected, f"{fate} where {' or '.join(sorted(expected))} was due: {told}"
    if verdicts and fate in case.accepted and not at_the_wrong_table(case, game):
        assert case.line in (0, verdicts["rogue"].line), told
        assert case.detail in told["rogue"], told


GUESTS = [case for case in CASES if case.file not in LEFT_OUT and case.accepted != {REFUSED}]


def invited(every: int) -> list[Any]:
    """Each so-manieth case, the games in turn; with 0, each case with each game."""
    if not every:
        return [pytest.param(case, game, id=f"{case.id}-{game}") for case in GUESTS for game in GAMES]
    return [
        pytest.param(case, GAMES[number % len(GAMES)], id=f"{case.id}-{GAMES[number % len(GAMES)]}")
        for number, case in enumerate(GUESTS[::every])
    ]


@pytest.mark.parametrize(("case", "game"), invited(EVERY))
def test_a_rogue_at_the_table_meets_its_fate_and_the_honest_finish(case: Case, game: str, tables: Tables) -> None:
    plays(case, game, tables)


@pytest.mark.slow
@pytest.mark.parametrize(("case", "game"), invited(0))
def test_every_rogue_at_every_table(case: Case, game: str, tables: Tables) -> None:
    plays(case, game, tables)


def test_who_is_left_out_is_in_the_table() -> None:
    assert set(LEFT_OUT) <= {case.file for case in CASES}
