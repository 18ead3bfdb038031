"""One position of a game of Q, with everything needed to play on: whom to ask, and what an answer leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from referee.games.game import Ask, Illegal, Outcome, seating
from referee.games.q import drawing, plain, rules, terminal
from referee.games.q.config import Config
from referee.games.q.map import Map
from referee.games.q.rules import EXCHANGE, PASS
from referee.games.q.tiles import Tile
from referee.games.q.view import Entry, Public, View

Stage = Literal["setup", "turn", "draw", "end"]  # waiting for whom: all to begin, a move, new tiles told, all to end
VERSION = 1  # of what `save` writes
T = TypeVar("T")


class State(msgspec.Struct, frozen=True):
    """Players are seats in here. A seat keeps its number and its points when its player is kicked."""

    players: tuple[str, ...]
    config: Config
    map: Map
    pile: tuple[Tile, ...]
    hands: tuple[tuple[Tile, ...], ...]
    points: tuple[int, ...]
    stage: Stage
    waiting: tuple[int, ...]  # seats still to be called in "setup" or "end"
    current: int = 0  # the seat whose turn it is, or was when the game ended
    drawn: int = 0  # how many tiles at the front of the current hand `new_tiles` has yet to tell of
    turn: int = 0
    kicked: tuple[str, ...] = ()
    history: tuple[Entry, ...] = ()
    packed: tuple[bytes, ...] = ()  # the history as views carry it: packed once, not again for every view
    round_start: int = 0  # where this round begins in the history
    final: tuple[tuple[str, ...], ...] = ()  # the ranks when play ended

    @classmethod
    def start(
        cls,
        players: Sequence[str],
        config: Config,
        map: Map,
        pile: Sequence[Tile],
        hands: Sequence[Sequence[Tile]],
        points: Sequence[int],
    ) -> State:
        """The state before anybody has been told anything; the first seat has the first turn."""
        return cls(
            players=tuple(players),
            config=config,
            map=map,
            pile=tuple(pile),
            hands=tuple(tuple(hand) for hand in hands),
            points=tuple(points),
            stage="setup",
            waiting=tuple(range(len(players))),
        )

    # What is asked.

    @property
    def phase(self) -> str:
        return "done" if self.is_over else "playing"

    @property
    def is_over(self) -> bool:
        return self.stage == "end"

    def ask(self) -> Ask | None:
        player = self.players[self.current]
        if self.stage == "turn":
            return Ask(player, "take_turn", self._view(self.current, self.turn + 1), rules.Reply)
        if self.stage == "draw":
            return Ask(player, "new_tiles", self.hands[self.current][: self.drawn], None)
        if not self.waiting:
            return None
        seat = self.waiting[0]
        if self.stage == "setup":
            return Ask(self.players[seat], "setup", self._view(seat, self.turn), None)
        return Ask(self.players[seat], "game_over", self._outcome(seat), None)

    def check(self, action: Any) -> str | None:
        try:
            self.commit(action)
        except Illegal as why:
            return str(why)
        return None

    # What follows.

    def commit(self, action: Any) -> State:
        if self.stage == "turn":
            return self._move(rules.read(action))
        if action is not None:
            raise Illegal("the game is over" if self.is_over else "it is not the time for a move")
        if self.stage == "draw":
            return replace(self, drawn=0)._next_turn()
        if not self.waiting:
            raise Illegal("the game is over")
        return replace(self, waiting=self.waiting[1:])._after_call()

    def kick(self, player: str) -> State:
        if player not in self.players or player in self.kicked:
            raise ValueError(f"{player!r:.60} is not in the game")
        seat = self.players.index(player)
        mine = seat == self.current and self.stage in ("turn", "draw")
        lost = self.drawn if mine else 0
        turn = self.turn + 1 if mine and self.stage == "turn" else self.turn
        entry = Entry(turn, player, "kicked")
        left = replace(
            self,
            pile=self.pile + self.hands[seat][lost:],
            hands=_with(self.hands, seat, ()),
            waiting=tuple(other for other in self.waiting if other != seat),
            drawn=self.drawn - lost,
            turn=turn,
            kicked=(*self.kicked, player),
            history=(*self.history, entry),
            packed=(*self.packed, entry.packed(self.players)),
        )
        return left._next_turn() if mine else left._after_call()

    def reseated(self, players: Sequence[str]) -> State:
        if self.stage == "draw":
            return self.commit(None).reseated(players)  # whoever sits down learns of the new tiles in its setup
        names = seating(self.players, players)
        return replace(
            self,
            players=tuple(players),
            kicked=tuple(names[player] for player in self.kicked),
            history=tuple(replace(entry, player=names[entry.player]) for entry in self.history),
            stage="end" if self.is_over else "setup",
            waiting=self.waiting if self.is_over else tuple(self._live()),
            final=tuple(tuple(names[player] for player in rank) for rank in self.final),
        )

    def _move(self, action: rules.Action) -> State:
        hand = self.hands[self.current]
        map, kept = rules.judge(self.map, hand, len(self.pile), action)
        if action == PASS:
            return self._moved(action)._next_turn()
        if action == EXCHANGE:
            drawn = len(hand)
            return self._moved(action, hand=self.pile[:drawn], pile=self.pile[drawn:] + hand, drawn=drawn)
        gained = rules.points(map, [place for place, _ in action], self.config.q_bonus)
        if not kept:
            return self._moved(action, map=map, hand=(), gained=gained + self.config.finish_bonus)._end()
        # Even if the pile has run out: `new_tiles` then tells of none.
        new, pile = self.pile[: len(action)], self.pile[len(action) :]
        return self._moved(action, map=map, hand=new + kept, pile=pile, gained=gained, drawn=len(new))

    def _moved(
        self,
        action: rules.Action,
        *,
        map: Map | None = None,
        hand: tuple[Tile, ...] | None = None,
        pile: tuple[Tile, ...] | None = None,
        gained: int = 0,
        drawn: int = 0,
    ) -> State:
        seat, turn = self.current, self.turn + 1
        told = action if isinstance(action, str) else plain.placement(action)
        entry = Entry(turn, self.players[seat], told, gained)
        return replace(
            self,
            map=self.map if map is None else map,
            hands=self.hands if hand is None else _with(self.hands, seat, hand),
            pile=self.pile if pile is None else pile,
            points=_with(self.points, seat, self.points[seat] + gained),
            stage="draw",
            drawn=drawn,
            turn=turn,
            history=(*self.history, entry),
            packed=(*self.packed, entry.packed(self.players)),
        )

    def _after_call(self) -> State:
        """After a call that is no part of a turn, or a kick out of turn: begins the first turn when all is set up."""
        if self.stage != "setup" or self.waiting:
            return self
        return replace(self, stage="turn") if self.current in self._live() else self._next_turn()

    def _next_turn(self) -> State:
        live = self._live()
        later = [seat for seat in live if seat > self.current]
        if later:
            return replace(self, stage="turn", current=later[0])
        if not live:
            return self._end()
        ahead = replace(self, stage="turn", current=live[0], round_start=len(self.history))
        nobody_placed = all(isinstance(entry.action, str) for entry in self.history[self.round_start :])
        return ahead._end() if nobody_placed else ahead

    def _end(self) -> State:
        live = self._live()
        best = max((self.points[seat] for seat in live), default=0)
        in_turn = [*(seat for seat in live if seat >= self.current), *(seat for seat in live if seat < self.current)]
        return replace(
            self,
            stage="end",
            waiting=tuple(sorted(in_turn, key=lambda seat: self.points[seat] != best)),
            final=self._standing(),
        )

    def _live(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player not in self.kicked]

    # What can be seen.

    def scores(self) -> dict[str, int]:
        return dict(zip(self.players, self.points, strict=True))

    def ranking(self) -> list[set[str]]:
        """A rank that lost all its players at the very end stays, empty, so that nobody moves up."""
        ranks = [{player for player in tie if player not in self.kicked} for tie in self.final or self._standing()]
        while ranks and not ranks[-1]:
            ranks.pop()
        return ranks

    def _standing(self) -> tuple[tuple[str, ...], ...]:
        live = self._live()
        levels = sorted({self.points[seat] for seat in live}, reverse=True)
        return tuple(tuple(self.players[seat] for seat in live if self.points[seat] == level) for level in levels)

    @property
    def to_move(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else self.players[self.current]

    def public(self) -> Public:
        acted = (entry for entry in self.history if entry.action != "kicked")
        return Public(
            players=self.players,
            kicked=self.kicked,
            map=plain.placement(tuple(self.map.tiles.items())),
            pile=len(self.pile),
            scores=self.scores(),
            hand_sizes=self._hand_sizes(),
            q_bonus=self.config.q_bonus,
            finish_bonus=self.config.finish_bonus,
            phase=self.phase,
            turn=self.turn,
            to_move=self.to_move,
            history=self.history,
            last={entry.player: entry for entry in acted},
            this_round=self.history[self.round_start :],
        )

    def _hand_sizes(self) -> dict[str, int]:
        return {player: len(hand) for player, hand in zip(self.players, self.hands, strict=True)}

    def _view(self, seat: int, turn: int) -> View:
        return View(
            me=self.players[seat],
            players=self.players,
            kicked=self.kicked,
            map=self.map,
            hand=self.hands[seat],
            pile=len(self.pile),
            scores=self.scores(),
            hand_sizes=self._hand_sizes(),
            q_bonus=self.config.q_bonus,
            finish_bonus=self.config.finish_bonus,
            phase=self.phase,
            turn=turn,
            packed=self.packed,
        )

    def _outcome(self, seat: int) -> Outcome:
        return Outcome(
            won=self.players[seat] in self.final[0],
            ranking=tuple(tuple(sorted(tie, key=self.players.index)) for tie in self.ranking()),
            scores=self.scores(),
            kicked=self.kicked,
        )

    def save(self) -> dict[str, Any]:
        """The fields by their names, the configuration's among them; `referee.games.q.saved.load` reads it."""
        own_form = ("config", "packed")
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name not in own_form}
        written: dict[str, Any] = msgspec.to_builtins(
            {
                "game": "q",
                "version": VERSION,
                "q_bonus": self.config.q_bonus,
                "finish_bonus": self.config.finish_bonus,
                "hand_size": self.config.hand_size,
                **fields,
                "map": plain.placement(tuple(self.map.tiles.items())),
                "pile": [tile.plain for tile in self.pile],
                "hands": [[tile.plain for tile in hand] for hand in self.hands],
            }
        )
        return written

    def svg(self, *, hands: bool = False) -> str:
        """The public side of the table; with `hands` also what everybody holds."""
        return drawing.svg(self, hands=hands)

    def text(self, *, hands: bool = False) -> str:
        return terminal.text(self, hands=hands)

    def tints(self) -> dict[str, str]:
        return terminal.TINTS


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
