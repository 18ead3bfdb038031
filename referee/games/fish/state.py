"""A game of Fish under way: the position, whom to call next, and what happened so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from referee.games.fish import drawing, terminal
from referee.games.fish.grid import Tile
from referee.games.fish.position import NOBODY, Position
from referee.games.fish.views import Event, Player, Public, View
from referee.games.game import Ask, Illegal, Outcome, seating

VERSION = 1  # of what `save` gives

_Place = tuple[int, int]
Placement = Annotated[_Place, msgspec.Meta(description="a tile, [row, col]")]
Movement = Annotated[tuple[_Place, _Place], msgspec.Meta(description="two tiles, [[row, col], [row, col]]")]


class State(msgspec.Struct, frozen=True):
    """See `referee.games.game.State`."""

    position: Position
    colors: tuple[str, ...]
    kicked: tuple[str, ...] = ()
    late: int = 0  # how many of the kicked were so after the end: they leave a gap in the ranking
    turn: int = 0
    calls: int = 0  # seats passed in the round of `setup` calls (0 to n) and of `game_over` calls (n to 2n)
    history: tuple[Event, ...] = ()
    round: int = 0  # where in the history the present round begins

    @property
    def players(self) -> tuple[str, ...]:
        return self.position.names

    @property
    def phase(self) -> str:
        return self.position.phase

    @property
    def is_over(self) -> bool:
        return self.position.seat == NOBODY

    def ask(self) -> Ask | None:
        call = self._due()
        if call < len(self.players):
            return Ask(self.players[call], "setup", self._view(call), None)
        seat = self.position.seat
        if seat != NOBODY:
            player, view = self.players[seat], self._view(seat)
            if self.position.to_place[seat]:
                return Ask(player, "placement", view, Placement)
            return Ask(player, "movement", view, Movement)
        if call < 2 * len(self.players):
            player = self.players[call - len(self.players)]
            return Ask(player, "game_over", self._outcome(player), None)
        return None

    def legal_moves(self) -> list[Any]:
        """All that the player to act may do: tiles while placing, moves afterwards."""
        return self.position.legal_moves()

    def check(self, action: Any) -> str | None:
        if self._wants_move():
            return self.position.check(action)
        return self._why_not_called(action)

    def commit(self, action: Any) -> State:
        if not self._wants_move():
            if (why := self._why_not_called(action)) is not None:
                raise Illegal(why)
            return msgspec.structs.replace(self, calls=self._due() + 1)
        position = self.position
        action = position.legal(action)
        tiles = (action,) if type(action) is Tile else action
        event = Event(self.turn + 1, position.names[position.seat], tiles)
        return self._next(position.after(action), event)

    def kick(self, player: str) -> State:
        if player not in self.players:
            raise ValueError(f"nobody called {player[:40]!r} plays here")
        if player in self.kicked:
            return self
        seat = self.players.index(player)
        its_turn = self._wants_move() and seat == self.position.seat
        after = self._next(self.position.without(seat), Event(self.turn + its_turn, player, ()))
        return msgspec.structs.replace(after, kicked=(*self.kicked, player), late=self.late + self.is_over)

    def reseated(self, players: Sequence[str]) -> State:
        names = seating(self.players, players)
        return msgspec.structs.replace(
            self,
            position=msgspec.structs.replace(self.position, names=tuple(players)),
            kicked=tuple(names[player] for player in self.kicked),
            calls=self.calls if self.is_over else 0,
            history=tuple(msgspec.structs.replace(event, player=names[event.player]) for event in self.history),
        )

    def scores(self) -> dict[str, int]:
        return self.position.scores

    def ranking(self) -> list[set[str]]:
        """Players kicked after the end leave their place empty: nobody is promoted into it."""
        points = self.scores()
        on_time = len(self.kicked) - self.late
        ranked = [player for player in self.players if player not in self.kicked[:on_time]]
        ranks = [
            {player for player in ranked if points[player] == score and player not in self.kicked}
            for score in sorted({points[player] for player in ranked}, reverse=True)
        ]
        while ranks and not ranks[-1]:
            ranks.pop()
        return ranks

    def public(self) -> Public:
        return Public(**self._seen())

    def svg(self) -> str:
        return drawing.svg(self.public())

    def text(self) -> str:
        return terminal.text(self.public())

    def tints(self) -> dict[str, str]:
        return terminal.TINTS

    def save(self) -> dict[str, Any]:
        position = self.position
        return {
            "game": "fish",
            "version": VERSION,
            "board": [list(row) for row in position.board],
            "players": [
                {
                    "name": name,
                    "color": self.colors[seat],
                    "score": position.points[seat],
                    "penguins": [list(tile) for tile in position.penguins_of(name)],
                    "to_place": position.to_place[seat],
                }
                for seat, name in enumerate(self.players)
            ],
            "mover": position.player,
            "kicked": list(self.kicked),
            "kicked_after_the_end": self.late,
            "turn": self.turn,
            "calls": self.calls,
            "round": self.round,
            "history": [{"turn": event.turn, "player": event.player, "action": event.plain} for event in self.history],
        }

    def _wants_move(self) -> bool:
        seats = len(self.colors)
        return self.position.seat != NOBODY and (self.calls == seats or self._due() >= seats)

    def _due(self) -> int:
        """The next call that wants no move: below n the `setup` of that seat, from n on its `game_over`.

        Whoever was kicked hears nothing more, nor whoever still had penguins in hand when the tiles ran out.
        """
        seats = len(self.players)
        call = self.calls
        while call < 2 * seats:
            seat = call % seats
            if self.players[seat] not in self.kicked and (call < seats or not self.position.to_place[seat]):
                break
            call += 1
        return call

    def _why_not_called(self, action: Any) -> str | None:
        if self._due() == 2 * len(self.players):
            return "the game is over"
        return None if action is None else "this call wants no answer"

    def _next(self, position: Position, event: Event) -> State:
        """The state after an event; a round ends when the turn comes back to this seat or one before it."""
        history = (*self.history, event)
        new_round = event.turn > self.turn and NOBODY < position.seat <= self.position.seat
        start = len(history) if new_round else self.round
        return State(position, self.colors, self.kicked, self.late, event.turn, self.calls, history, start)

    def _view(self, seat: int) -> View:
        return View(**self._seen(), me=self.players[seat])

    def _seen(self) -> dict[str, Any]:
        """The fields of Public."""
        position = self.position
        players = tuple(
            Player(
                name,
                self.colors[seat],
                position.points[seat],
                position.penguins_of(name),
                position.to_place[seat],
                name in self.kicked,
            )
            for seat, name in enumerate(self.players)
        )
        return {
            "phase": position.phase,
            "turn": self.turn,
            "mover": position.player,
            "players": players,
            "board": position.board,
            "history": self.history,
            "round": self.history[self.round :],
            "last": {event.player: event for event in self.history if event.tiles},
        }

    def _outcome(self, player: str) -> Outcome:
        ranking = self.ranking()
        return Outcome(
            won=player in ranking[0],
            ranking=tuple(tuple(name for name in self.players if name in rank) for rank in ranking),
            scores=self.scores(),
            kicked=self.kicked,
        )
