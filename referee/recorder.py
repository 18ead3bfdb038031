"""Writes a game's record: JSON lines, while the game is played, so that a killed referee leaves a readable beginning.

A header, a line an event (with what the answer cost), and the result. Moves only: states are recomputed, and
checked by a digest every so often. `referee.record` reads it.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import version
from typing import IO, TYPE_CHECKING, Any

import msgspec

from referee.events import Ended, Event, Kicked, Moved
from referee.games.game import State, colors
from referee.match import Terms
from sandbox import Usage, Verdict

if TYPE_CHECKING:
    from referee.referee import Referee

FORMAT = 1
_DIGEST_EVERY = 10  # turns
_LONGEST_ANSWER = 4096  # bytes of one that the rules refused: a stranger chose its size
encode = msgspec.json.Encoder(order="sorted").encode


class Header(msgspec.Struct, frozen=True, kw_only=True, tag="header", tag_field="kind"):
    format: int
    id: str
    game: str
    config: dict[str, Any]
    seed: int
    players: list[dict[str, Any]]  # in seat order: name, given, sha256, parameters, color
    terms: Terms
    layers: list[str]
    versions: dict[str, str]
    start: dict[str, Any] | None = None  # a saved state, for a game that did not begin at the beginning


class Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    call: int
    turn: int
    player: str
    digest: str = ""


class MoveLine(Line, frozen=True, kw_only=True, tag="moved", omit_defaults=True):
    method: str
    action: Any
    cpu: float
    wall: float
    memory: int
    output: str = ""  # see `referee.printing`


class PlaceLine(MoveLine, frozen=True, kw_only=True, tag="placed", omit_defaults=True):
    pass


class KickLine(Line, frozen=True, kw_only=True, tag="kicked", omit_defaults=True):
    verdict: Verdict
    answer: Any = msgspec.UNSET  # what the rules refused, if it was sound and short: see `referee.record`
    output: str = ""


class ResultLine(msgspec.Struct, frozen=True, kw_only=True, tag="result", tag_field="kind"):
    ranking: list[list[str]]
    scores: dict[str, int]
    kicked: list[str]
    turns: int
    usage: dict[str, dict[str, float]]
    digest: str


EventLine = MoveLine | PlaceLine | KickLine
decode = msgspec.json.Decoder(Header | EventLine | ResultLine).decode


def digest(state: State) -> str:
    return hashlib.sha256(encode(state.save())).hexdigest()[:16]


class Recorder:
    """Writes a record while the game is played. If it cannot, the game is void."""

    def __init__(self, referee: Referee, start: State, layers: Iterable[str]) -> None:
        assert referee.record is not None
        self._file: IO[bytes] = open(referee.record, "wb", buffering=0)  # noqa: SIM115  # closed by the game
        try:
            self._write(header_of(referee, start, layers))
        except BaseException:
            self.close()
            raise

    def write(self, event: Event) -> None:
        turn = event.state.turn
        if isinstance(event, Moved):
            self._write(
                (PlaceLine if event.kind == "placed" else MoveLine)(
                    call=event.call,
                    turn=turn,
                    player=event.player,
                    method=event.method,
                    action=event.action,
                    cpu=round(event.used.cpu, 6),
                    wall=round(event.used.wall, 6),
                    memory=event.used.peak_memory,
                    output=event.output,
                    digest="" if turn % _DIGEST_EVERY else digest(event.state),
                )
            )
        elif isinstance(event, Kicked):
            self._write(
                KickLine(
                    call=event.call,
                    turn=event.turn,
                    player=event.player,
                    verdict=event.verdict,
                    answer=_kept(event.answer),
                    output=event.output,
                )
            )
        elif isinstance(event, Ended):
            self._write(_result(event))

    def _write(self, line: Any) -> None:
        data = encode(line) + b"\n"
        if self._file.write(data) != len(data):
            raise OSError(f"the record {self._file.name} could not be written whole: is the disk full?")

    def close(self) -> None:
        self._file.close()


def header_of(referee: Referee, start: State, layers: Iterable[str]) -> Header:
    """What the record of a referee's game begins with."""
    config = referee.config if referee.config is not None else referee.game.config()
    dealt = colors(start)
    players = [
        {
            "name": entrant.name,
            "given": entrant.given,
            "sha256": entrant.sha256,
            "parameters": dict(entrant.parameters),
            "color": dealt.get(entrant.name),
        }
        for entrant in referee.entrants
    ]
    header = Header(
        format=FORMAT,
        id="",
        game=referee.game.name,
        config=msgspec.to_builtins(config),
        seed=referee.seed,
        players=players,
        terms=referee.terms,
        layers=sorted(layers),
        versions={"referee": version("referee"), "python": platform.python_version()},
        start=referee.start.save() if referee.start is not None else None,
    )
    return msgspec.structs.replace(header, id=identity(header))


def identity(header: Header) -> str:
    """The hash of all that decides a game: not the machine, nor what happened."""
    deciding = (header.game, header.config, header.seed, header.players, header.terms, header.start)
    return hashlib.sha256(encode(deciding)).hexdigest()[:16]


def amounts(used: Usage) -> dict[str, float]:
    """What a player used, as records and reports have it."""
    return {"cpu_s": used.cpu, "wall_s": used.wall, "peak_memory": used.peak_memory, "output_bytes": used.output}


def _kept(answer: Any) -> Any:
    try:
        return answer if len(encode([answer])) <= _LONGEST_ANSWER else msgspec.UNSET
    except (TypeError, ValueError, OverflowError, RecursionError):  # of a trusted player, it may be anything
        return msgspec.UNSET


def _result(event: Ended) -> ResultLine:
    result = event.result
    return ResultLine(
        ranking=[sorted(rank) for rank in result.ranking],
        scores=result.scores,
        kicked=list(event.state.kicked),
        turns=event.state.turn,
        usage={name: amounts(used) for name, used in result.usage.items()},
        digest=digest(event.state),
    )
