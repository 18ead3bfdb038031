"""Loads a saved game of Fish, and refuses what no game could have left behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from referee.games.fish.answers import read_move, read_tile
from referee.games.fish.config import Config, Rows, padded, penguins_each
from referee.games.fish.grid import Tile, grid
from referee.games.fish.position import NOBODY, Position, next_seat
from referee.games.fish.state import VERSION, State
from referee.games.fish.views import Event, free_cells
from referee.games.game import Illegal

Count = Annotated[int, Meta(ge=0)]


class SavedPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    color: Literal["red", "white", "brown", "black"]
    score: Count
    penguins: tuple[Tile, ...]
    to_place: Count


class SavedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    turn: Count
    player: str
    action: Any

    def event(self) -> Event:
        if self.action is None:
            return Event(self.turn, self.player, ())
        try:
            return Event(self.turn, self.player, read_move(self.action))
        except Illegal:
            return Event(self.turn, self.player, (read_tile(self.action),))


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The format of `State.save`."""

    game: Literal["fish"]
    version: int
    board: Rows
    players: Annotated[tuple[SavedPlayer, ...], Meta(min_length=2, max_length=4)]
    mover: str | None
    kicked: tuple[str, ...]
    kicked_after_the_end: Count
    turn: Count
    calls: Count
    round: Count
    history: tuple[SavedEvent, ...]


def load(data: Mapping[str, Any]) -> State:
    """The state that was saved; a ValueError says what is wrong with anything else."""
    try:
        saved = msgspec.convert(data, Saved)
        if saved.version != VERSION:
            raise ValueError(f"this is version {saved.version} of the format, and only {VERSION} is known")
        _check_players(saved)
        _check_course(saved)
        return State(
            _position(saved),
            tuple(player.color for player in saved.players),
            saved.kicked,
            saved.kicked_after_the_end,
            saved.turn,
            saved.calls,
            tuple(event.event() for event in saved.history),
            saved.round,
        )
    except (ValueError, Illegal) as error:
        raise ValueError(f"not a saved game of Fish: {error}") from None


def _check_players(saved: Saved) -> None:
    names = {player.name for player in saved.players}
    seats = len(saved.players)
    if len(names) < seats:
        raise ValueError("two players have the same name")
    if len({player.color for player in saved.players}) < seats:
        raise ValueError("two players have the same color")
    if len(set(saved.kicked)) < len(saved.kicked) or not names.issuperset(saved.kicked):
        raise ValueError("somebody was kicked twice, or does not play")
    for player in saved.players:
        count = len(player.penguins) + player.to_place
        right = 0 if player.name in saved.kicked else penguins_each(seats)
        if count != right:
            raise ValueError(f"{player.color} has {count} penguins on the board and in hand, not {right}")
    if saved.mover is not None and saved.mover not in names:
        raise ValueError("the mover is none of the players")


def _check_course(saved: Saved) -> None:
    """What happened so far must fit the present."""
    over = saved.mover is None
    if saved.calls > len(saved.players) * (2 if over else 1):
        raise ValueError(f"{saved.calls} is too many calls")
    if saved.kicked_after_the_end > (len(saved.kicked) if over else 0):
        raise ValueError(f"{saved.kicked_after_the_end} players cannot have been kicked after the end")
    if saved.round > len(saved.history):
        raise ValueError("the round begins after the last event")
    turns = [event.turn for event in saved.history]
    if turns != sorted(turns) or turns[-1:] > [saved.turn]:
        raise ValueError("the turns of the history are not in order")
    if any(event.player not in {player.name for player in saved.players} for event in saved.history):
        raise ValueError("the history tells of somebody who does not play")


def _position(saved: Saved) -> Position:
    rows = padded(Config(board=saved.board).board or ())
    table = grid(len(rows), len(rows[0]))
    fish = bytes(count for row in rows for count in row)
    stands = [tile for player in saved.players for tile in player.penguins]
    for tile in stands:
        if tile not in table.cells or not fish[table.cells[tile]]:
            raise ValueError(f"a penguin stands on {tile}, where there is no tile")
        if stands.count(tile) > 1:
            raise ValueError(f"two penguins stand on {tile}")
    names = tuple(player.name for player in saved.players)
    penguins = tuple(tuple(table.cells[tile] for tile in player.penguins) for player in saved.players)
    to_place = tuple(player.to_place for player in saved.players)
    points = tuple(player.score for player in saved.players)
    free = free_cells(fish, penguins)
    seat = NOBODY if saved.mover is None else names.index(saved.mover)
    # Passed on by the seat before the mover, the turn must stop at the mover.
    if seat != NOBODY and next_seat(table, free, penguins, to_place, (seat - 1) % len(names)) != seat:
        raise ValueError(f"it cannot be the turn of {saved.players[seat].color}, who can do nothing now")
    return Position(table, fish, free, names, penguins, to_place, points, seat)
