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
from referee.human import Human
from referee.match import Entrant, Terms, derived
from referee.parameters import check_parameters
from referee.player import Boxed, Player
from referee.printing import Printing
from referee.recorder import Recorder
from sandbox import BoxError, Ending, Misconduct, Usage, Verdict, Zygote, by_value


class RefereeError(Exception):
    """A fault of ours or of the machine: the game is void and can be played again; nobody is blamed."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    ranking: list[set[str]]  # best first, ties share a set, kicked players left out
    scores: dict[str, int]
    kicked: tuple[Kicked, ...]  # in the order they left
    state: State
    usage: dict[str, Usage]
    moves: dict[str, int]  # how many each was asked for and made
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
        if start is not None and start.is_over:
            raise ValueError(f"that game of {game.name} is over: there is nothing left to play")
        for entrant in entrants:
            check_parameters(entrant)
            if entrant.sit is None and callable(entrant.source):
                by_value.pickled(entrant.source, terms.allow)  # a SubmissionError now, not in the middle of a game
        self.game = game
        self.entrants = tuple(entrants)
        self.config = config
        self.seed = seed
        self.terms = terms
        self._zygote = zygote
        self.record = record
        self.start = start.reseated(names) if start is not None else None
        for entrant in entrants:
            gone = self.start is not None and entrant.name in self.start.kicked
            if entrant.source is None and entrant.sit is None and not gone:
                raise ValueError(f"{entrant.name} has nothing to play with: give its entrant a source, or a sit")
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
        names = [entrant.name for entrant in self.entrants]
        start = self.start or self.game.setup(names, self.config, derived(self.seed, "rules"))
        try:
            with contextlib.ExitStack() as stack:
                return _Game(self, start, stack).play()
        except Exception as error:  # whatever it is, no player did it: their misconduct has been dealt with
            what = str(error) if isinstance(error, BoxError | OSError) else f"{type(error).__name__}: {error}"
            raise RefereeError(f"the game is void, and nobody is to blame: {what}") from error


class _Game:
    """One game under way."""

    def __init__(self, referee: Referee, start: State, stack: contextlib.ExitStack) -> None:
        self._referee = referee
        self._terms = referee.terms
        self._state = start
        self._players: dict[str, Player] = {}
        self._kicked: list[Kicked] = []
        self._usage: dict[str, Usage] = {}
        self._moves = dict.fromkeys(start.players, 0)
        self._output: dict[str, str] = {}
        self._printing = Printing(referee.terms.limits.output_kept)
        self._call = 0
        self._gallery = Gallery(referee._observers)
        stack.callback(self._gallery.close)
        self._zygote = referee._zygote
        if self._zygote is None and any(entrant.sit is None for entrant in referee.entrants):
            self._zygote = stack.enter_context(zygote_for(referee.game, referee.terms.allow))
        layers = self._zygote.layers if self._zygote is not None else ()
        self._recorder = Recorder(referee, start, layers) if referee.record else None
        if self._recorder is not None:
            stack.callback(self._recorder.close)
        stack.callback(self._clear_table)

    def play(self) -> Result:
        self._tell(Started(state=self._state))
        self._seat()
        while (ask := self._state.ask()) is not None:
            player = self._players[ask.player]
            try:
                action = self._answer(player, ask)
                before, self._state = self._state, self._state.commit(action)
            except Illegal as illegal:
                self._kick(player, Verdict.of(Ending.ILLEGAL_MOVE, str(illegal), ask.method), action)
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
        if isinstance(player, Human):
            player.look(self._state)
        return player.ask(ask.method, ask.view, ask.reply, self._terms.budget(ask.method))

    def _seat(self) -> None:
        game = self._referee.game
        for seat, entrant in enumerate(self._referee.entrants):
            if entrant.name in self._state.kicked:  # before the state that this game goes on from
                self._players[entrant.name] = _Absent(entrant.name)
                continue
            if entrant.sit is not None:
                self._players[entrant.name] = entrant.sit(entrant.name, game)
                continue
            assert self._zygote is not None
            seed = derived(self._referee.seed, "player", seat)
            try:
                self._players[entrant.name] = boxed(self._zygote, game, entrant, self._terms, seed)
            except Misconduct as misconduct:
                self._players[entrant.name] = _Absent(entrant.name, misconduct.usage, misconduct.output)
                self._kick(self._players[entrant.name], misconduct.verdict)

    def _moved(self, before: State, ask: Ask, action: Any, player: Player) -> None:
        if ask.reply is None:
            return
        self._moves[ask.player] += 1
        if self._recorder is not None or self._gallery:
            kind = Placed if before.phase == "placing" else Moved
            used = player.last
            self._tell(
                kind(
                    state=self._state,
                    call=self._call,
                    player=ask.player,
                    method=ask.method,
                    action=action,
                    used=used,
                    output=self._printing.new(player, used),
                )
            )

    def _kick(self, player: Player, verdict: Verdict, answer: Any = msgspec.UNSET) -> None:
        self._state = self._state.kick(player.name)
        self._part(player, verdict)
        turn = self._state.turn
        kicked = Kicked(
            state=self._state,
            call=self._call,
            player=player.name,
            verdict=verdict,
            turn=turn,
            answer=answer,
            output=self._printing.new(player, player.usage),
        )
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
            moves=self._moves,
            output={name: self._output[name] for name in names},
            record=self._referee.record,
        )
        self._tell(Ended(state=state, call=self._call, result=result))
        return result

    def _clear_table(self) -> None:
        for name, player in self._players.items():
            if name not in self._usage:
                self._part(player)


class _Absent:
    """The place of a player whose file did not load; never asked."""

    last = Usage(0.0, 0.0, 0, 0)

    def __init__(self, name: str, usage: Usage = last, output: str = "") -> None:
        self.name = name
        self.usage = usage  # for trying to load
        self.output = output

    def defines(self, method: str) -> bool:
        return False

    def ask(self, method: str, view: Any, reply: Any, budget: Any) -> Any:
        raise BoxError(f"{self.name} is not at the table")

    def leave(self, verdict: Verdict | None = None) -> None:
        return None


def boxed(zygote: Zygote, game: Game, entrant: Entrant, terms: Terms, seed: int) -> Boxed:
    """A stranger in a box, loaded and waiting to be asked; raises Misconduct if it does not load."""
    assert entrant.source is not None
    worker = zygote.spawn(
        entrant.source,
        name=entrant.name,
        limits=msgspec.structs.replace(terms.limits, load=terms.setup),
        adapter=f"{games.package(game.name)}:adapter",
        required=game.required,
        optional=game.optional,
        parameters=entrant.parameters,
        seed=seed,
    )
    return Boxed(entrant.name, worker)


@contextlib.contextmanager
def zygote_for(game: Game, allow: Sequence[str] = (), **options: Any) -> Iterator[Zygote]:
    """A zygote with a game's rules ready inside, and the packages that are allowed."""
    package = games.package(game.name)
    ready = f"{package}:rehearse" if hasattr(importlib.import_module(package), "rehearse") else package
    with Zygote(preload=["referee.games", "referee.games.hooks", ready, *allow], **options) as zygote:
        yield zygote
