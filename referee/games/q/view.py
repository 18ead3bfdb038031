"""What a player of Q may know when it is asked, and what it can work out from that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from referee.games.game import Illegal
from referee.games.q import plain, rules
from referee.games.q.map import Map
from referee.games.q.rules import EXCHANGE, PASS, Action
from referee.games.q.tiles import Tile

Told = plain.Placement | Literal["pass", "exchange", "kicked"]


class Entry(msgspec.Struct, frozen=True):
    """One line of the public history: who did what in which turn, in the plain form of answers; what it scored."""

    turn: int
    player: str
    action: Told
    points: int = 0

    def packed(self, players: Sequence[str]) -> bytes:
        """The seat instead of the name: that stays what it is when others sit down."""
        return _pack((self.turn, players.index(self.player), self.action, self.points))

    @classmethod
    def unpacked(cls, entry: bytes, players: Sequence[str]) -> Entry:
        turn, seat, action, points = _unpack(entry)
        return cls(turn, players[seat], action, points)


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(tuple[int, int, Told, int]).decode


class Public(msgspec.Struct, frozen=True):
    """What any spectator may see: all but the hands and the order of the pile."""

    players: tuple[str, ...]  # every seat in order, those who were kicked too
    kicked: tuple[str, ...]
    map: plain.Placement  # in the order the tiles were put down
    pile: int  # how many tiles are left to draw
    scores: dict[str, int]
    hand_sizes: dict[str, int]
    q_bonus: int
    finish_bonus: int
    phase: str
    turn: int
    to_move: str | None
    history: tuple[Entry, ...]
    last: dict[str, Entry]  # the last action of each player that has acted
    this_round: tuple[Entry, ...]


class View(msgspec.Struct, frozen=True, dict=True):
    """The table as `me` sees it. Rivals' hands and the order of the pile are not in here."""

    me: str
    players: tuple[str, ...]  # every seat in order, those who were kicked too
    kicked: tuple[str, ...]
    map: Map
    hand: tuple[Tile, ...]
    pile: int  # how many tiles are left to draw
    scores: dict[str, int]
    hand_sizes: dict[str, int]
    q_bonus: int
    finish_bonus: int
    phase: str
    turn: int  # of the move asked for; in other calls of the last move
    packed: tuple[bytes, ...]  # the history, which grows: few strategies look, and only those need unpack it

    @cached_property
    def history(self) -> tuple[Entry, ...]:
        """All public actions and kicks so far."""
        return tuple([Entry.unpacked(entry, self.players) for entry in self.packed])

    def __repr__(self) -> str:
        names = [name if name != "packed" else "history" for name in self.__struct_fields__]
        return f"View({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    @property
    def score(self) -> int:
        return self.scores[self.me]

    @property
    def rivals(self) -> tuple[str, ...]:
        """The others still in the game, the next to move first."""
        seat = self.players.index(self.me)
        return tuple(p for p in self.players[seat + 1 :] + self.players[:seat] if p not in self.kicked)

    @property
    def news(self) -> tuple[Entry, ...]:
        """What happened since my last turn; everything before my first."""
        for index in range(len(self.history) - 1, -1, -1):
            if self.history[index].player == self.me:
                return self.history[index + 1 :]
        return self.history

    def legal_moves(self) -> list[Action]:
        """Every placement of a single tile, smallest tile first, by row and column; then exchange; then pass."""
        return rules.legal_moves(self.map, self.hand, self.pile)

    def check(self, action: Any) -> str | None:
        """Why an answer would be illegal, or None."""
        try:
            rules.judge(self.map, self.hand, self.pile, rules.read(action))
        except Illegal as why:
            return str(why)
        return None

    def points(self, action: Any) -> int:
        """What a legal answer would score."""
        return self.after(action).score - self.score

    def after(self, action: Any) -> View:
        """The table after a legal answer of mine: the map, the tiles I still hold and my score, but nothing drawn.

        After an exchange the hand is empty, because nobody knows what comes. Further tiles can be tried on
        from there; whether all of them are one legal placement is for `check` on the view they started from.
        """
        action = rules.read(action)
        map, hand = rules.judge(self.map, self.hand, self.pile, action)
        if action == PASS:
            return self
        if action == EXCHANGE:
            return msgspec.structs.replace(self, hand=hand)
        gained = rules.points(map, [place for place, _ in action], self.q_bonus)
        if not hand:
            gained += self.finish_bonus
        return msgspec.structs.replace(
            self,
            map=map,
            hand=hand,
            scores=self.scores | {self.me: self.score + gained},
            hand_sizes=self.hand_sizes | {self.me: len(hand)},
        )
