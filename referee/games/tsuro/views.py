"""What a player is shown when it is asked, with what it needs to think ahead."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.games.game import Illegal
from referee.games.tsuro import choices, rules
from referee.games.tsuro.actions import Placement
from referee.games.tsuro.board import Avatar, Option, Position, Square
from referee.games.tsuro.history import Entry, news
from referee.games.tsuro.tiles import PORTS, Tile


class View(msgspec.Struct, frozen=True):
    """The board, the avatars and your own tiles; seats count the players from 0."""

    me: str
    players: tuple[str, ...]
    position: Position
    hand: tuple[int, ...]  # the tiles to choose from: three to begin with, then two a turn
    phase: str  # "placing" or "moving"
    turn: int
    round: int  # 0 while first tiles are placed
    scores: dict[str, int]
    kicked: tuple[str, ...]
    history: tuple[Entry, ...]

    @property
    def seat(self) -> int:
        return self.players.index(self.me)

    @property
    def color(self) -> str:
        return rules.COLORS[self.seat]

    @property
    def avatar(self) -> Avatar | None:
        """Where you stand; None before your first placement."""
        return self.position.avatar(self.seat)

    @property
    def square(self) -> Square | None:
        """Where your next tile goes."""
        return self.position.looks_at(self.seat)

    @property
    def news(self) -> tuple[Entry, ...]:
        """What has happened since your last action."""
        return news(self.history, self.me)

    def hand_text(self) -> str:
        """Your tiles for a terminal: the paths of each, turned each way, and what they would do."""
        return choices.text(self)

    def free_squares(self) -> list[Square]:
        """Where a first tile may go, clockwise from (1, 0) round to (0, 0)."""
        return rules.free_squares(self.position)

    def inward_ports(self, square: tuple[int, int]) -> list[str]:
        """The ports of (x, y) on which an avatar may begin, A to H."""
        return rules.inward_ports(self.position, square)

    def options(self) -> list[Option]:
        """What each of your tiles would do, turned each way, legal or not."""
        return self.position.options(self.seat, self.hand)

    def legal_moves(self) -> list[Placement] | list[Tile]:
        """Everything you may answer. In rare positions nothing is legal."""
        return self.legal_placements() if self.phase == "placing" else self.legal_tiles()

    def legal_placements(self) -> list[Placement]:
        return rules.legal_placements(self.position, self.hand)

    def legal_tiles(self) -> list[Tile]:
        """The legal ones of your tiles, turned each way, in the order of your hand."""
        return list(dict.fromkeys(option.tile for option in rules.legal_options(self.options())))

    def check(self, action: Any) -> str | None:
        """Why an answer would be illegal, or None."""
        try:
            self.after(action)
        except Illegal as why:
            return str(why)
        return None

    def after(self, action: Any) -> Position:
        """The position your answer leads to; raises Illegal."""
        if self.phase == "placing":
            tile, (x, y), port = rules.judge_placement(self.position, self.hand, action)
            return self.position.put(self.seat, tile, y * self.position.width + x, PORTS.index(port))
        option = rules.judge_move(self.position, self.seat, self.hand, action)
        return self.position.after(option)
