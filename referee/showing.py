"""How a game that was played is told: one JSON object for programs, and words for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from referee.games.game import colors
from referee.games.label import label
from referee.recorder import amounts, header_of
from sandbox import Verdict, clean
from sandbox.submission import MAX_NAME

if TYPE_CHECKING:
    from referee.events import Kicked
    from referee.referee import Referee, Result

_MOST_PRINTED = 2000  # characters of what a player printed


def report(referee: Referee, result: Result) -> dict[str, Any]:
    """The object that `--json` prints."""
    state = result.state
    return {
        "id": header_of(referee, state, ()).id,
        "game": referee.game.name,
        "seed": referee.seed,
        "players": list(state.players),
        "colors": colors(state),
        "ranking": [sorted(rank) for rank in result.ranking],
        "scores": result.scores,
        "kicked": [kick(kicked) for kicked in result.kicked],
        "turns": state.turn,
        "usage": {name: amounts(used) for name, used in result.usage.items()},
        "state": state.save(),
        "record": result.record,
    }


def closing(result: Result) -> str:
    """The board, who was shown out and why, the ranking, and what everybody used."""
    return "\n".join(_closing(result))


def size(count: int) -> str:
    """Bytes, as people write them."""
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} KiB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MiB"


def printed(output: str) -> Iterator[str]:
    """What a player printed, marked so that nobody takes it for words of the referee."""
    for line in clean(output, _MOST_PRINTED, keep="\n\t").rstrip("\n").split("\n"):
        yield f"  | {line}".rstrip()


def place(turn: int, method: str) -> str:
    """When in a game something happened."""
    if not method:
        return "while it was loaded"
    return f"in {method}, turn {turn}" if turn else f"in {method}, before the first turn"


def explained(verdict: Verdict) -> Iterator[str]:
    """Why somebody was kicked, with the traceback; safe to show though it may be out of anybody's record."""
    for line in verdict.explain().split("\n"):
        yield f"  {clean(line)}"


def duration(seconds: float) -> str:
    """A time, as people write it."""
    return f"{seconds:.3f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def name_shown(player: str) -> str:
    """A player's name, whole where it is one that a player may have."""
    return label(player, MAX_NAME + 1)


def _closing(result: Result) -> Iterator[str]:
    state = result.state
    yield state.text().rstrip("\n")
    for kicked in result.kicked:
        yield ""
        yield f"{name_shown(kicked.player)} was kicked {place(kicked.turn, kicked.verdict.method)}:"
        yield from explained(kicked.verdict)
        if output := result.output.get(kicked.player, ""):
            yield "  it printed:"
            yield from printed(output)
    names = {name: name_shown(name) for name in state.players}
    width = max(map(len, names.values()))
    yield ""
    yield "Ranking"
    rank = 1
    for sharing in result.ranking:
        for name in sorted(sharing):
            yield f"  {rank}. {names[name]:<{width}}  {result.scores[name]:>4}"
        rank += len(sharing)
    for kicked in result.kicked:
        yield f"  -  {names[kicked.player]:<{width}}  kicked: {kicked.verdict.ending}"
    yield ""
    yield f"Used{'':<{width}}{'CPU':>12}{'wall':>12}{'memory':>13}{'printed':>12}"
    for name, used in result.usage.items():
        times = f"{duration(used.cpu):>12}{duration(used.wall):>12}"
        yield f"  {names[name]:<{width}}  {times}{size(used.peak_memory):>13}{size(used.output):>12}"


def kick(kicked: Kicked) -> dict[str, Any]:
    verdict = kicked.verdict
    return {
        "player": kicked.player,
        "verdict": str(verdict.ending),
        "method": verdict.method,
        "turn": kicked.turn,
        "detail": verdict.detail,
        "line": verdict.line or None,
    }
