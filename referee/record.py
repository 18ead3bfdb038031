"""A game's record: JSON lines from which the whole game can be computed again, and is.

A header, a line an event (with what the answer cost), and the result. Moves only: states are recomputed, and
checked by a digest every so often. A referee that is killed leaves a readable beginning.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from referee import games
from referee.events import Ended, Event, Kicked, Moved
from referee.games.game import Game, Illegal, State
from referee.match import Terms
from sandbox import Verdict

if TYPE_CHECKING:
    from referee.referee import Referee

FORMAT = 1
_DIGEST_EVERY = 10  # turns
_encode = msgspec.json.Encoder(order="sorted").encode


class RecordError(ValueError):
    """A file that is no record, or one that is not true; the text says what and where."""


class Header(msgspec.Struct, frozen=True, kw_only=True, tag="header", tag_field="kind"):
    format: int
    id: str
    game: str
    config: dict[str, Any]
    seed: int
    players: list[dict[str, Any]]  # in seat order: name, given, sha256, parameters
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


class PlaceLine(MoveLine, frozen=True, kw_only=True, tag="placed", omit_defaults=True):
    pass


class KickLine(Line, frozen=True, kw_only=True, tag="kicked", omit_defaults=True):
    verdict: Verdict


class ResultLine(msgspec.Struct, frozen=True, kw_only=True, tag="result", tag_field="kind"):
    ranking: list[list[str]]
    scores: dict[str, int]
    kicked: list[str]
    turns: int
    usage: dict[str, dict[str, float]]
    digest: str


_line = msgspec.json.Decoder(Header | MoveLine | PlaceLine | KickLine | ResultLine)


def digest(state: State) -> str:
    return hashlib.sha256(_encode(state.save())).hexdigest()[:16]


class Recorder:
    """Writes a record while the game is played. If it cannot, the game is void."""

    def __init__(self, referee: Referee, state: State) -> None:
        assert referee._record is not None
        self._file: IO[bytes] = open(referee._record, "wb", buffering=0)  # noqa: SIM115  # closed by the game
        self._write(_header(referee))

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
                    digest="" if turn % _DIGEST_EVERY else digest(event.state),
                )
            )
        elif isinstance(event, Kicked):
            self._write(KickLine(call=event.call, turn=event.turn, player=event.player, verdict=event.verdict))
        elif isinstance(event, Ended):
            self._write(_result(event))

    def _write(self, line: Any) -> None:
        data = _encode(line) + b"\n"
        if self._file.write(data) != len(data):
            raise OSError(f"the record {self._file.name} could not be written whole: is the disk full?")

    def close(self) -> None:
        self._file.close()


def _header(referee: Referee) -> Header:
    config = referee.config if referee.config is not None else referee.game.config()
    players = [
        {"name": entrant.name, "given": entrant.given, "sha256": entrant.sha256, "parameters": dict(entrant.parameters)}
        for entrant in referee.entrants
    ]
    zygote = referee._zygote
    header = Header(
        format=FORMAT,
        id="",
        game=referee.game.name,
        config=msgspec.to_builtins(config),
        seed=referee.seed,
        players=players,
        terms=referee.terms,
        layers=sorted(zygote.layers) if zygote is not None else [],
        versions={"referee": version("referee"), "python": platform.python_version()},
        start=referee._start.save() if referee._start is not None else None,
    )
    return msgspec.structs.replace(header, id=identity(header))


def identity(header: Header) -> str:
    """The hash of all that decides a game: not the machine, nor what happened."""
    deciding = (header.game, header.config, header.seed, header.players, header.terms, header.start)
    return hashlib.sha256(_encode(deciding)).hexdigest()[:16]


def _result(event: Ended) -> ResultLine:
    result = event.result
    return ResultLine(
        ranking=[sorted(rank) for rank in result.ranking],
        scores=result.scores,
        kicked=list(event.state.kicked),
        turns=event.state.turn,
        usage={
            name: {"cpu_s": used.cpu, "wall_s": used.wall, "peak_memory": used.peak_memory, "output_bytes": used.output}
            for name, used in result.usage.items()
        },
        digest=digest(event.state),
    )


class Record(msgspec.Struct, frozen=True):
    """A record that was read. `result` is None when the game did not come to its end."""

    header: Header
    lines: list[MoveLine | PlaceLine | KickLine]
    result: ResultLine | None

    @property
    def game(self) -> Game:
        return games.get(self.header.game)

    def start(self) -> State:
        from referee.match import derived

        header, game = self.header, self.game
        if header.start is not None:
            return game.load(header.start)
        config = msgspec.convert(header.config, game.config)
        names = [player["name"] for player in header.players]
        return game.setup(names, config, derived(header.seed, "rules"))

    def states(self) -> Iterator[tuple[MoveLine | PlaceLine | KickLine | None, State]]:
        """The state at the start (with no line), and after each line; raises RecordError where it is not true."""
        state, call = self.start(), 0
        yield None, state
        for number, line in enumerate(self.lines, 2):
            try:
                while call < line.call:  # calls that wanted no move, and went well
                    state, call = state.commit(None), call + 1
                if isinstance(line, KickLine):
                    state = state.kick(line.player)
                    call += bool(line.verdict.method)  # a file that did not load was never called
                else:
                    ask = state.ask()
                    if ask is None or (ask.player, ask.method) != (line.player, line.method):
                        raise RecordError(f"line {number}: it is not {line.player}'s turn for {line.method}")
                    state, call = state.commit(line.action), call + 1
            except (Illegal, ValueError) as error:
                raise RecordError(f"line {number}: {error}") from error
            if line.digest and line.digest != digest(state):
                raise RecordError(f"line {number}: the state is not the one that was recorded")
            yield line, state

    def final(self) -> State:
        """The state at the end, with every call that wanted no move answered."""
        state = self.start()
        for _, reached in self.states():
            state = reached
        while (ask := state.ask()) is not None and ask.reply is None:
            state = state.commit(None)
        return state


def read(path: str | Path) -> Record:
    """Read a record; a torn last line, of a referee that was killed, is left out."""
    try:
        pieces = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"cannot read the record {path}: {error.strerror}") from error
    decoded: list[Any] = []
    for number, piece in enumerate(pieces[:-1], 1):  # what follows the last newline is torn
        try:
            decoded.append(_line.decode(piece))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}, line {number}: not a line of a record ({error})") from error
    if not decoded or not isinstance(decoded[0], Header):
        raise RecordError(f"{path} is no record of a game: it does not begin with a header")
    if decoded[0].format > FORMAT:
        raise RecordError(f"{path} is of format {decoded[0].format}; this referee knows up to {FORMAT}")
    result = decoded.pop() if isinstance(decoded[-1], ResultLine) else None
    if any(isinstance(line, Header | ResultLine) for line in decoded[1:]):
        raise RecordError(f"{path} holds more than one game")
    return Record(decoded[0], decoded[1:], result)
