"""Makes the marks of one submission: each check of the rubric, one after the other, in boxes of one zygote."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from referee.admission import Admission, examine
from referee.grading import feedback
from referee.grading.contest import LATE, NOISE, Contest, Pace
from referee.grading.course import read
from referee.grading.report import Feedback, Mark
from referee.grading.rubric import Admitted, Beats, Check, Memory, Placing, Scenario, Speed
from referee.grading.store import laid_out
from referee.lane import Report
from referee.match import Entrant, Terms
from referee.recorder import encode
from referee.referee import zygote_for
from referee.timing.measure import Timings, measure
from referee.timing.positions import Sitting, drawn, saved
from sandbox import Submission

_POSITIONS = 30
_REPEATS = 3


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """A submission to be examined: in which checks of the rubric, by number, and what is known of it already."""

    submission: Submission
    checks: tuple[int, ...]
    admission: Admission | None = None


class Examined(Report, frozen=True, kw_only=True):
    """What came of it."""

    admission: Admission | None = None
    marks: dict[int, Mark] = msgspec.field(default_factory=dict)


class Examiner:
    """Examines submissions under a course's rubric; a context, since it holds a zygote."""

    def __init__(self, course: Path, accept_missing_layers: bool = False, core: int | None = None) -> None:
        self._course = read(course)
        self._making = zygote_for(
            self._course.rules,
            self._course.terms.allow,
            spares=self._course.rules.seats[0],
            accept_missing_layers=accept_missing_layers,
            core=core,
        )
        self._timings: dict[str, Timings] = {}
        self._sittings: list[Sitting] = []

    def __enter__(self) -> Examiner:
        self._zygote = self._making.__enter__()
        self._pace = Pace()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._making.__exit__(kind, error, trace)

    def do(self, paper: Paper) -> Examined:
        """Raises RefereeError: ours, never the student's."""
        admission = self._admission(paper)
        checks = self._course.rubric.checks
        self._timings.clear()
        marks = {number: self.mark(paper.submission, checks[number], admission) for number in paper.checks}
        return Examined(admission=admission, marks=marks)

    def mark(self, submission: Submission, check: Check, admission: Admission) -> Mark:
        if isinstance(check, Admitted):
            return self._admitted(submission, check, admission)
        if not admission.admitted:
            return marked(check, 0.0, "Not tried: the file is not admitted, see there.")
        match check:
            case Beats():
                return self._beats(submission, check)
            case Scenario():
                return self._scenario(submission, check)
            case Speed():
                return self._speed(submission, check)
            case Memory():
                return self._memory(submission, check, admission)
            case Placing():
                return marked(check, 0.0, "The tournament of the class is still to be played.")

    def _admission(self, paper: Paper) -> Admission:
        """A timeout, be it one of long ago, counts only if it comes again with a little more time."""
        terms = self._course.terms
        found = paper.admission or self._examined(paper.submission, terms)
        if _is_late(found):
            again = self._examined(paper.submission, self._pace.longer(terms))
            if not _is_late(again):
                return msgspec.structs.replace(again, terms=terms)
        return found

    def _examined(self, submission: Submission, terms: Terms) -> Admission:
        course = self._course
        with tempfile.TemporaryDirectory(prefix="referee-") as folder:
            path = laid_out(submission, Path(folder, "submission"), submission.entry)
            return examine(
                course.rules,
                os.fspath(path),
                config=course.settings,
                seed=course.seed,
                terms=terms,
                zygote=self._zygote,
            )

    def _admitted(self, submission: Submission, check: Admitted, admission: Admission) -> Mark:
        if admission.admitted:
            return marked(check, check.points, f"It plays legally in all {admission.played} validation games.")
        told = tuple(feedback.of_problem(submission, problem) for problem in admission.problems)
        loads = all(problem.verdict.method for problem in admission.problems)
        sentence = f"It loads, but {told[0].sentence}" if loads else f"It does not load: {told[0].sentence}"
        return marked(check, check.loads if loads else 0.0, sentence, feedback=told)

    def _beats(self, submission: Submission, check: Beats) -> Mark:
        course = self._course
        rates = [band.rate for band in check.bands]
        contest = Contest(course.rules, course.settings, course.seed, course.terms, self._zygote, self._pace)
        opponent = course.opponent(check)
        score = contest.hold(self._entrant(submission), opponent, check.games, rates)
        earned = check.earned(score.decided(rates))
        low, high = score.interval()
        sentence = (
            f"It wins {score.rate:.0%} of {score.games} games against {check.opponent} "
            f"(with 95 % confidence between {low:.0%} and {high:.0%})."
        )
        if score.ended:
            sentence += " It ran out of time three times, so the rest counts as lost."
        return marked(
            check,
            earned,
            sentence,
            feedback=feedback.of_kicks(submission, score.kicks),
            figures={"games": score.games, "rate": round(score.rate, 4), "low": round(low, 4), "high": round(high, 4)},
        )

    def _scenario(self, submission: Submission, check: Scenario) -> Mark:
        course = self._course
        asked = course.position(check)
        sitting = Sitting(0, (saved(asked.state, check.state),))
        timings = self._measured(submission, [sitting], 1)
        if timings.failures:
            told = feedback.of_failure(submission, timings.failures[0].verdict, asked.state)
            return marked(check, 0.0, f"It fails when it is asked: {told.sentence}", feedback=(told,))
        (answer,) = timings.answers[sitting.positions[0].id]

        def among(answers: Sequence[Any]) -> bool:
            return encode(answer) in [encode(asked.action(plain)) for plain in answers]

        earned = max(
            [check.points] * among(check.answers) + [band.points for band in check.partial if among(band.answers)],
            default=0.0,
        )
        good = "one of the best answers" if earned == check.points else "a fair answer" if earned else "a poor answer"
        told = Feedback(sentence="The position:", position=asked.state.text(), svg=asked.state.svg())
        return marked(check, earned, f"It gives {good}: {_plain(answer)}.", feedback=() if earned else (told,))

    def _speed(self, submission: Submission, check: Speed) -> Mark:
        timings = self._timed(submission)
        if not timings.moves or timings.given_up:
            return self._not_timed(submission, check, timings)
        times = sorted(min(repeats) for repeats in timings.moves.values())
        ms = 1000 * times[math.ceil(len(times) * check.percentile / 100) - 1]
        sentence = f"It needs {ms:.2f} ms of CPU for a move ({check.percentile:g} % of its moves need no more)."
        return marked(check, check.earned(ms / (1 + NOISE)), sentence, figures={"ms": round(ms, 4)})

    def _memory(self, submission: Submission, check: Memory, admission: Admission) -> Mark:
        timings = self._timed(submission)
        if not timings.moves or timings.given_up:
            return self._not_timed(submission, check, timings)
        mb = max(timings.memory, admission.measured.memory) / (1 << 20)
        sentence = f"It needs {mb:.1f} MB of memory at its peak."
        return marked(check, check.earned(mb / (1 + NOISE)), sentence, figures={"mb": round(mb, 2)})

    def _not_timed(self, submission: Submission, check: Check, timings: Timings) -> Mark:
        told = tuple(feedback.of_failure(submission, failure.verdict, None) for failure in timings.failures)
        return marked(check, 0.0, f"It could not be measured: {timings.given_up or 'it never answers'}.", feedback=told)

    def _timed(self, submission: Submission) -> Timings:
        """What it does in a fixed set of positions; speed and memory look at the same."""
        course = self._course
        if not self._sittings:
            self._sittings = drawn(
                course.rules, [], _POSITIONS, config=course.settings, seed=course.seed, zygote=self._zygote
            )
        if submission.sha256 not in self._timings:
            self._timings[submission.sha256] = self._measured(submission, self._sittings, _REPEATS)
        return self._timings[submission.sha256]

    def _measured(self, submission: Submission, sittings: Sequence[Sitting], repeat: int) -> Timings:
        course = self._course
        made = measure(
            course.rules,
            [self._entrant(submission)],
            sittings,
            repeat,
            seed=course.seed,
            terms=course.terms,
            zygote=self._zygote,
        )
        return made.timings[0]

    def _entrant(self, submission: Submission) -> Entrant:
        return Entrant("submission", submission, given=submission.entry)


def _is_late(admission: Admission) -> bool:
    return any(problem.verdict.ending in LATE for problem in admission.problems)


def marked(check: Check, earned: float, sentence: str, **more: Any) -> Mark:
    return Mark(
        title=check.title,
        kind=check.kind,
        points=check.points,
        earned=earned,
        visibility=check.visibility,
        sentence=sentence,
        **more,
    )


def _plain(answer: Any) -> str:
    return encode(answer).decode()[:200]
