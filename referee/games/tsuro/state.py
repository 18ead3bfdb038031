"""One game: whom it asks next, what each answer makes of it, and who is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from referee.games.game import Ask, Illegal, Outcome, seating
from referee.games.tsuro import drawing, rules, saved, terminal
from referee.games.tsuro.actions import REPLIES, Placement
from referee.games.tsuro.board import OFF, Avatar, Option, Position, Square
from referee.games.tsuro.config import Config, deal
from referee.games.tsuro.history import Entry, Kicked, Moved, Placed
from referee.games.tsuro.saved import Later, Stage
from referee.games.tsuro.tiles import PORTS, Tile
from referee.games.tsuro.views import View

SETUP: Final = "setup"
PLACING: Final = "placing"
MOVING: Final = "moving"
OVER: Final = "over"
METHODS = {SETUP: "setup", PLACING: "initial_placement", MOVING: "move", OVER: "game_over"}
HANDS = {SETUP: 0, PLACING: 3, MOVING: 2, OVER: 0}  # tiles dealt for each ask


class Public(msgspec.Struct, frozen=True):
    """What any spectator may see."""

    players: tuple[str, ...]
    colors: tuple[str, ...]
    width: int
    height: int
    tiles: tuple[tuple[Square, Tile], ...]
    avatars: tuple[Avatar | None, ...]
    phase: str
    turn: int
    round: int
    to_move: str | None
    scores: dict[str, int]
    kicked: tuple[str, ...]
    history: tuple[Entry, ...]
    last: dict[str, Entry]  # each player's latest action
    this_round: tuple[Entry, ...]


class State(msgspec.Struct, frozen=True):
    """A position of the game with everything needed to play on."""

    players: tuple[str, ...]
    config: Config
    seed: int
    position: Position
    stage: Stage = SETUP
    seat: int = 0  # who is asked; one past the last seat when nobody is
    turn: int = 0
    round: int = 0  # 0 while first tiles are placed
    dealt: int = 0  # tiles taken from the source so far
    fell: tuple[int | None, ...] = ()  # by seat: the round in which it left the board or went round a loop
    kicked: tuple[str, ...] = ()
    history: tuple[Entry, ...] = ()
    then: tuple[Later, int] = (PLACING, 0)  # the stage and seat that follow when all are set up

    @property
    def phase(self) -> str:
        return {SETUP: self.then[0], OVER: "done"}.get(self.stage, self.stage)

    @property
    def is_over(self) -> bool:
        return self.stage == OVER

    @property
    def hand(self) -> tuple[int, ...]:
        """The tiles of the player who is asked."""
        return deal(self.config, self.seed, self.dealt, HANDS[self.stage])

    @property
    def to_move(self) -> str | None:
        """Who is asked for a move."""
        return self.players[self.seat] if self.stage in (PLACING, MOVING) else None

    def ask(self) -> Ask | None:
        if self.seat == len(self.players):
            return None
        player, method = self.players[self.seat], METHODS[self.stage]
        if self.stage == OVER:
            return Ask(player, method, self._outcome(player), None)
        view = View(
            player, self.players, self.position, self.hand, self.phase, self.turn, self.round, self.scores(),
            self.kicked, self.history,
        )  # fmt: skip
        return Ask(player, method, view, REPLIES.get(method))

    def check(self, action: Any) -> str | None:
        try:
            self._judge(action)
        except Illegal as why:
            return str(why)
        return None

    def commit(self, action: Any) -> State:
        judged = self._judge(action)
        if isinstance(judged, Placement):
            return self._place(judged)
        if isinstance(judged, Option):
            return self._move(judged)
        return replace(self, seat=self.seat + 1).settled()

    def kick(self, player: str) -> State:
        """The game without a player: its avatar leaves, its tiles stay. A second time changes nothing."""
        if player not in self.players:
            raise ValueError("there is no such player in this game")
        if player in self.kicked:
            return self
        seat = self.players.index(player)
        asked = player == self.to_move
        turn = self.turn + asked
        changes: dict[str, Any] = {
            "turn": turn,
            "dealt": self.dealt + (HANDS[self.stage] if asked else 0),
            "kicked": (*self.kicked, player),
            "history": (*self.history, Kicked(turn, player, self.round)),
        }
        # Once the game is over nobody moves up: the place of whoever fails then stays empty.
        if not self.is_over:
            changes["position"] = self.position.without(seat)
            changes["fell"] = (*self.fell[:seat], None, *self.fell[seat + 1 :])
        return replace(self, **changes).settled()

    def reseated(self, players: Sequence[str]) -> State:
        names = seating(self.players, players)
        history = (_renamed(entry, names) for entry in self.history)
        kicked = tuple(names[player] for player in self.kicked)
        renamed = replace(self, players=tuple(players), kicked=kicked, history=tuple(history))
        if self.stage == OVER:
            return renamed
        then = self.then if self.stage == SETUP else (self.stage, self.seat)
        return replace(renamed, stage=SETUP, seat=0, then=then).settled()

    def public(self) -> Public:
        board = self.position
        squares = (Square(x, y) for y in range(board.height) for x in range(board.width))
        return Public(
            players=self.players,
            colors=rules.COLORS[: len(self.players)],
            width=board.width,
            height=board.height,
            tiles=tuple((square, tile) for square in squares if (tile := board.tile(square)) is not None),
            avatars=tuple(board.avatar(seat) for seat in range(len(self.players))),
            phase=self.phase,
            turn=self.turn,
            round=self.round,
            to_move=self.to_move,
            scores=self.scores(),
            kicked=self.kicked,
            history=self.history,
            last={entry.player: entry for entry in self.history if not isinstance(entry, Kicked)},
            this_round=tuple(entry for entry in self.history if entry.round == self.round),
        )

    def ranking(self) -> list[set[str]]:
        """Who is still in, then the fallen by round, latest first.

        Whoever is kicked after the end leaves a rank empty, so that nobody moves up.
        """
        ranks: dict[int, set[str]] = {}
        for seat, player in enumerate(self.players):
            kicked, fell = player in self.kicked, self.fell[seat]
            if fell is None and kicked and self.position.avatars[seat] == OFF:
                continue
            rank = ranks.setdefault(self.round + 1 if fell is None else fell, set())
            if not kicked:
                rank.add(player)
        ranking = [ranks[number] for number in sorted(ranks, reverse=True)]
        while ranking and not ranking[-1]:
            ranking.pop()
        return ranking

    def scores(self) -> dict[str, int]:
        """The rounds each has survived; none for who was kicked."""
        survived = self.round if self.is_over else max(0, self.round - 1)
        return {
            player: 0 if player in self.kicked else survived if fell is None else fell - 1
            for player, fell in zip(self.players, self.fell, strict=True)
        }

    def save(self) -> dict[str, Any]:
        return saved.save(self)

    def svg(self, *, hands: bool = False) -> str:
        """The table; with `hands` also the tiles that the player to move chooses from."""
        return drawing.svg(self, hands=hands)

    def text(self, *, hands: bool = False) -> str:
        return terminal.text(self, hands=hands)

    def tints(self) -> dict[str, str]:
        return terminal.TINTS

    def _judge(self, action: Any) -> Placement | Option | None:
        if self.seat == len(self.players):
            raise Illegal("the game is over")
        if self.stage == PLACING:
            return rules.judge_placement(self.position, self.hand, action)
        if self.stage == MOVING:
            return rules.judge_move(self.position, self.seat, self.hand, action)
        if action is not None:
            raise Illegal(f"{METHODS[self.stage]} wants no answer")
        return None

    def _place(self, placement: Placement) -> State:
        tile, (x, y), port = placement
        square = y * self.position.width + x
        entry = Placed(self.turn + 1, self.players[self.seat], placement)
        return self._played(self.position.put(self.seat, tile, square, PORTS.index(port)), self.fell, entry)

    def _move(self, option: Option) -> State:
        before, after = self.position, self.position.after(option)
        gone = [seat for seat in before.alive if after.avatars[seat] == OFF]
        square = before.looks_at(self.seat)
        assert square is not None  # only seats with an avatar are asked for a move
        entry = Moved(
            self.turn + 1, self.players[self.seat], option.tile, self.round, square,
            not option.loopers, tuple(self.players[seat] for seat in gone),
        )  # fmt: skip
        fell = tuple(self.round if seat in gone else fell for seat, fell in enumerate(self.fell))
        return self._played(after, fell, entry)

    def _played(self, position: Position, fell: tuple[int | None, ...], entry: Entry) -> State:
        return replace(
            self,
            position=position,
            seat=self.seat + 1,
            turn=self.turn + 1,
            dealt=self.dealt + HANDS[self.stage],
            fell=fell,
            history=(*self.history, entry),
        ).settled()

    def settled(self) -> State:
        """The same game at its next ask: a later seat of this round, or the first of the next one."""
        stage, seat, round = self.stage, self.seat, self.round
        while True:
            while seat < len(self.players) and not self._takes_part(seat, stage):
                seat += 1
            if seat < len(self.players) or stage == OVER:
                break
            if stage == SETUP:
                stage, seat = self.then
            elif len(self.position.alive) <= 1:
                stage, seat = OVER, 0
            else:
                stage, seat, round = MOVING, 0, round + 1
        if (stage, seat, round) == (self.stage, self.seat, self.round):
            return self
        then = self.then if stage == SETUP else (PLACING, 0)
        return replace(self, stage=stage, seat=seat, round=round, then=then)

    def _takes_part(self, seat: int, stage: str) -> bool:
        if stage in (SETUP, PLACING):
            return self.players[seat] not in self.kicked and self.fell[seat] is None
        standing = self.position.avatars[seat] != OFF
        return standing and (stage == MOVING or self.players[seat] not in self.kicked)

    def _outcome(self, player: str) -> Outcome:
        ranking = self.ranking()
        return Outcome(
            won=player in ranking[0],
            ranking=tuple(tuple(name for name in self.players if name in rank) for rank in ranking),
            scores=self.scores(),
            kicked=self.kicked,
        )


def _renamed(entry: Entry, names: dict[str, str]) -> Entry:
    if isinstance(entry, Moved):
        return replace(entry, player=names[entry.player], out=tuple(names[player] for player in entry.out))
    return replace(entry, player=names[entry.player])
