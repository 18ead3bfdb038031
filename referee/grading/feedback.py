"""What a student is told of a failure, to act on it: where, why, the position, the own output, the way to see it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from referee.admission import Problem
from referee.games.game import State
from referee.grading.contest import Kick
from referee.grading.report import Feedback
from referee.questions import cut
from referee.record import Record
from sandbox import Ending, Submission, Verdict, clean

RECORD = "questions.jsonl"  # as the command names it; whoever writes it out puts it there
_MOST = 3  # different failures of one check
_OUTPUT = 4_000  # characters
_SENTENCES = {
    Ending.ILLEGAL_MOVE: "its answer is against the rules",
    Ending.EXCEPTION: "it raises an exception",
    Ending.LOAD_ERROR: "the file cannot be loaded",
    Ending.CPU_TIMEOUT: "it computes for too long",
    Ending.WALL_TIMEOUT: "it does not answer in time",
    Ending.MEMORY: "it needs more memory than is allowed",
    Ending.OUTPUT_LIMIT: "it prints more than is allowed",
    Ending.CRASH: "its process crashes",
    Ending.EXIT: "its process exits",
    Ending.PROTOCOL: "it breaks the protocol",
}


def of_problem(submission: Submission, problem: Problem) -> Feedback:
    """Of a validation game."""
    return _told(
        submission,
        problem.verdict,
        turn=problem.turn,
        position=problem.state,
        svg=problem.svg,
        output=problem.output,
        record=problem.questions,
        times=problem.games,
    )


def of_kicks(submission: Submission, kicks: Sequence[Kick]) -> tuple[Feedback, ...]:
    """Of the games of a contest; the same failure again is no other one."""
    found: dict[tuple[object, ...], list[Kick]] = {}
    for kick in kicks:
        verdict = kick.verdict
        found.setdefault((verdict.ending, verdict.method, verdict.file, verdict.line), []).append(kick)
    return tuple(_of_kick(submission, alike[0], len(alike)) for alike in list(found.values())[:_MOST])


def of_failure(submission: Submission, verdict: Verdict, state: State | None) -> Feedback:
    """When it was asked a single question."""
    return _told(
        submission,
        verdict,
        position=state.text() if state is not None else "",
        svg=state.svg() if state is not None else "",
    )


def _of_kick(submission: Submission, kick: Kick, times: int) -> Feedback:
    state = _failed_on(kick.record, kick.player)
    return _told(
        submission,
        kick.verdict,
        turn=kick.turn,
        position=state.text() if state is not None else "",
        svg=state.svg() if state is not None else "",
        output=kick.output,
        record=cut(kick.record, kick.player),
        times=times,
    )


def _failed_on(record: Record, player: str) -> State | None:
    """None for one that did not load."""
    asked = [call.before for call in record.calls() if call.ask is not None and call.ask.player == player]
    return asked[-1] if asked else None


def _told(
    submission: Submission,
    verdict: Verdict,
    *,
    turn: int = 0,
    position: str = "",
    svg: str = "",
    output: str = "",
    record: str = "",
    times: int = 1,
) -> Feedback:
    when = f" in {verdict.method}, turn {turn}" if turn else f" in {verdict.method}" if verdict.method else ""
    where = f" ({verdict.file}, line {verdict.line})" if verdict.line else ""
    frames = "\n".join(verdict.explain().splitlines()[1:])
    return Feedback(
        sentence=f"{_SENTENCES[verdict.ending]}{when}{where}: {clean(verdict.detail)}",
        verdict=str(verdict.ending),
        file=verdict.file,
        line=verdict.line or None,
        frames=frames,
        position=position,
        svg=svg,
        output=clean(output, _OUTPUT, keep="\n\t"),
        record=record,
        command=shlex.join(["referee", "reproduce", RECORD, submission.entry]) if record else "",
        times=times,
    )
