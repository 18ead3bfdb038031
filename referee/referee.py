"""The referee of one game: seats the players, asks whom the rules name, judges, shows out, ranks."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from referee import games
from referee.events import Ended, Event, Kicked, Moved, Observer, Placed, Started
from referee.gallery import Gallery
from referee.games.game import Ask, Game, Illegal, State
from referee.match import Entrant, Terms, derived
from referee.player import Boxed, Player, Trusted
from referee.record import Recorder
from sandbox import BoxError, Ending, Misconduct, Usage, Verdict, Zygote


class RefereeError(Exception):
    """A fault of ours or of the machine: the game is void and can be played again; nobody is blamed."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    ranking: list[set[str]]  # best first, ties share a set, kicked players left out
    scores: dict[str, int]
    kicked: tuple[Kicked, ...]  # in the order they left
    state: State
    usage: dict[str, Usage]
    output: dict[str, str]  # what each printed
    record: str | None = None  # the path of the record


class Referee:
    """Plays any number of games, one after the other, and keeps nothing of a finished one.

    `zygote` makes the boxes; without one, a game makes its own. It must have the game preloaded: see `zygote_for`.
    """

    def __init__(
        self,
        game: Game,
        entrants: Sequence[Entrant],
        *,
        config: Any = None,
        seed: int = 0,
        terms: Terms = Terms(),  # noqa: B008  # frozen
        zygote: Zygote | None = None,
        record: str | None = None,
        start: State | None = None,
    ) -> None:
        names = [entrant.name for entrant in entrants]
        if len(names) not in game.seats:
            low, high = game.seats[0], game.seats[-1]
            raise ValueError(f"{game.name} is for {low} to {high} players, not {len(names)}")
        if len(set(names)) < len(names):
            raise ValueError(f"the players of a game must have different names, not {', '.join(names)}")
        self.game = game
        self.entrants = tuple(entrants)
        self.config = config
        self.seed = seed
        self.terms = terms
        self._zygote = zygote
        self._record = record
        self._start = start
        self._observers: list[Observer] = []

    def subscribe(self, observer: Observer) -> bool:
        """From the next game on it is told everything; a game's observers are those there when it starts."""
        self._observers.append(observer)
        return True

    def unsubscribe(self, observer: Observer) -> bool:
        """False if it was not there."""
        if observer not in self._observers:
            return False
        self._observers.remove(observer)
        return True

    def run(self) -> Result:
        """One game, from seating to ranking; raises RefereeError when it is void."""
        try:
            with contextlib.ExitStack() as stack:
                return _Game(self, stack).play()
        except (BoxError, OSError) as error:
            raise RefereeError(f"the game is void, and nobody is to blame: {error}") from error


class _Game:
    """One game under way."""

    def __init__(self, referee: Referee, stack: contextlib.ExitStack) -> None:
        self._referee = referee
        self._terms = referee.terms
        names = [entrant.name for entrant in referee.entrants]
        seed = derived(referee.seed, "rules")
        self._state = referee._start or referee.game.setup(names, referee.config, seed)
        self._players: dict[str, Player] = {}
        self._kicked: list[Kicked] = []
        self._usage: dict[str, Usage] = {}
        self._output: dict[str, str] = {}
        self._call = 0
        self._gallery = Gallery(referee._observers)
        stack.callback(self._gallery.close)
        self._recorder = Recorder(referee, self._state) if referee._record else None
        if self._recorder is not None:
            stack.callback(self._recorder.close)
        stack.callback(self._clear_table)
        self._zygote = referee._zygote
        if self._zygote is None and any(not entrant.trusted for entrant in referee.entrants):
            self._zygote = stack.enter_context(zygote_for(referee.game))

    def play(self) -> Result:
        self._seat()
        self._tell(Started(state=self._state))
        while (ask := self._state.ask()) is not None:
            player = self._players[ask.player]
            try:
                action = self._answer(player, ask)
                before, self._state = self._state, self._state.commit(action)
            except Illegal as illegal:
                self._kick(player, Verdict.of(Ending.ILLEGAL_MOVE, str(illegal), ask.method))
            except Misconduct as misconduct:
                self._kick(player, misconduct.verdict)
            else:
                self._moved(before, ask, action, player)
            self._call += 1
        return self._close()

    def _answer(self, player: Player, ask: Ask) -> Any:
        """The one door: every question to every player goes through here."""
        if ask.reply is None and not player.defines(ask.method):
            return None
        return player.ask(ask.method, ask.view, ask.reply, self._terms.budget(ask.method))

    def _seat(self) -> None:
        game = self._referee.game
        for seat, entrant in enumerate(self._referee.entrants):
            if entrant.trusted:
                self._players[entrant.name] = Trusted(entrant.name, entrant.source, game)
                continue
            assert self._zygote is not None
            try:
                worker = self._zygote.spawn(
                    entrant.source,  # type: ignore[arg-type]  # not trusted: a submission, class or function
                    name=entrant.name,
                    limits=msgspec.structs.replace(self._terms.limits, load=self._terms.setup),
                    adapter=f"{games.package(game.name)}:adapter",
                    required=game.required,
                    optional=game.optional,
                    parameters=entrant.parameters,
                    seed=derived(self._referee.seed, "player", seat),
                )
            except Misconduct as misconduct:
                self._players[entrant.name] = _Absent(entrant.name)
                self._kick(self._players[entrant.name], misconduct.verdict)
            else:
                self._players[entrant.name] = Boxed(entrant.name, worker)

    def _moved(self, before: State, ask: Ask, action: Any, player: Player) -> None:
        if ask.reply is not None:
            kind = Placed if before.phase == "placing" else Moved
            self._tell(
                kind(
                    state=self._state,
                    call=self._call,
                    player=ask.player,
                    method=ask.method,
                    action=action,
                    used=player.last,
                )
            )

    def _kick(self, player: Player, verdict: Verdict) -> None:
        self._state = self._state.kick(player.name)
        self._part(player, verdict)
        turn = self._state.turn
        kicked = Kicked(state=self._state, call=self._call, player=player.name, verdict=verdict, turn=turn)
        self._kicked.append(kicked)
        self._tell(kicked)

    def _part(self, player: Player, verdict: Verdict | None = None) -> None:
        player.leave(verdict)
        self._usage[player.name] = player.usage
        self._output[player.name] = player.output

    def _tell(self, event: Event) -> None:
        if self._recorder is not None:
            self._recorder.write(event)
        self._gallery.tell(event)

    def _close(self) -> Result:
        self._clear_table()
        state = self._state
        names = [entrant.name for entrant in self._referee.entrants]
        result = Result(
            ranking=state.ranking(),
            scores=state.scores(),
            kicked=tuple(self._kicked),
            state=state,
            usage={name: self._usage[name] for name in names},
            output={name: self._output[name] for name in names},
            record=self._referee._record,
        )
        self._tell(Ended(state=state, call=self._call, result=result))
        return result

    def _clear_table(self) -> None:
        for name, player in self._players.items():
            if name not in self._usage:
                self._part(player)


class _Absent:
    """The place of a player whose file did not load; never asked."""

    output = ""
    usage = last = Usage(0.0, 0.0, 0, 0)

    def __init__(self, name: str) -> None:
        self.name = name

    def defines(self, method: str) -> bool:
        return False

    def ask(self, method: str, view: Any, reply: Any, budget: Any) -> Any:
        raise BoxError(f"{self.name} is not at the table")

    def leave(self, verdict: Verdict | None = None) -> None:
        return None


@contextlib.contextmanager
def zygote_for(game: Game, allow: Sequence[str] = (), **options: Any) -> Iterator[Zygote]:
    """A zygote with a game's rules ready inside, and the packages that are allowed."""
    package = games.package(game.name)
    importlib.import_module(package)
    with Zygote(preload=["referee.games", package, *allow], **options) as zygote:
        yield zygote
