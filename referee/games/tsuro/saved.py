"""A game as JSON: everything needed to play on, readable enough to be written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from referee.games.tsuro.board import EMPTY, OFF, Avatar, Position, Square, empty, grid
from referee.games.tsuro.config import Config
from referee.games.tsuro.history import Entry, Moved, Placed
from referee.games.tsuro.tiles import CODES, PORTS, Tile

if TYPE_CHECKING:
    from referee.games.tsuro.state import State

Stage = Literal["setup", "placing", "moving", "over"]
Later = Literal["placing", "moving"]
Count = Annotated[int, Meta(ge=0, le=2**53)]


class Saved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form a game is saved in."""

    game: Literal["tsuro"] = "tsuro"
    version: Literal[1] = 1
    players: tuple[str, ...]
    config: Config
    seed: int
    stage: Stage
    seat: Count
    turn: Count
    round: Count
    dealt: Count
    tiles: tuple[tuple[Square, Tile], ...]
    avatars: tuple[Avatar | None, ...]
    fell: tuple[Count | None, ...]
    kicked: tuple[str, ...]
    history: tuple[Entry, ...] = ()
    then: tuple[Later, Count] = ("placing", 0)

    def position(self) -> Position:
        """The board; a ValueError says which piece cannot be where it is."""
        board = empty(self.config.width, self.config.height, len(self.players))
        tiles = bytearray(board.tiles)
        for square, tile in self.tiles:
            number = _number(board, square)
            if tile not in CODES:
                raise ValueError(f"there is no tile ({tile.kind}, {tile.degrees})")
            if tiles[number] != EMPTY:
                raise ValueError(f"({square.x}, {square.y}) holds two tiles")
            tiles[number] = CODES[tile]
        across = grid(board.width, board.height).across
        spots = [OFF] * len(self.players)
        for seat, avatar in enumerate(self.avatars):
            if avatar is None:
                continue
            (x, y), port = avatar
            if port not in PORTS:
                raise ValueError(f"the avatar on ({x}, {y}) must stand on a port from A to H")
            spots[seat] = _number(board, avatar.square) * 8 + PORTS.index(port)
            ahead = across[spots[seat]]
            if tiles[spots[seat] >> 3] == EMPTY or ahead == OFF or tiles[ahead >> 3] != EMPTY:
                raise ValueError(f"the avatar on ({x}, {y}) must stand on a tile and look at an empty square")
        return Position(board.width, board.height, bytes(tiles), tuple(spots))


def save(state: State) -> dict[str, Any]:
    seen = state.public()
    saved = Saved(
        players=state.players, config=state.config, seed=state.seed, stage=state.stage, seat=state.seat,
        turn=state.turn, round=state.round, dealt=state.dealt, tiles=seen.tiles, avatars=seen.avatars,
        fell=state.fell, kicked=state.kicked, history=state.history, then=state.then,
    )  # fmt: skip
    data: dict[str, Any] = msgspec.to_builtins(saved)
    # Lists rather than tuples, so that what was saved equals what a file gives back.
    listed: dict[str, Any] = _lists(data)
    return listed


def read(data: Mapping[str, Any]) -> Saved:
    """What was saved; a ValueError says what is wrong with it."""
    try:
        saved = msgspec.convert(dict(data), Saved)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise ValueError(f"this is no saved game of Tsuro: {error}") from None
    count = len(saved.players)
    if len(saved.avatars) != count or len(saved.fell) != count:
        raise ValueError("a saved game needs an entry for every player in avatars and in fell")
    if len(set(saved.kicked)) != len(saved.kicked) or not set(saved.kicked) <= set(saved.players):
        raise ValueError("kicked must name players of the game, each once")
    _check_standing(saved)
    _check_history(saved)
    return saved


def _check_standing(saved: Saved) -> None:
    stage, turn = saved.then if saved.stage == "setup" else (saved.stage, saved.seat)
    for seat, (player, avatar, fell) in enumerate(zip(saved.players, saved.avatars, saved.fell, strict=True)):
        if fell is not None and (avatar is not None or not 1 <= fell <= saved.round):
            raise ValueError("who fell has no avatar any more, and fell in a round from 1 to this one")
        if player in saved.kicked and avatar is not None and stage != "over":
            raise ValueError("who was kicked has no avatar any more")
        if fell is None and player not in saved.kicked and (avatar is None) != (stage == "placing" and seat >= turn):
            raise ValueError("who is still in the game has an avatar, unless its first tile is still to come")
    if stage == "over" and len([avatar for avatar in saved.avatars if avatar is not None]) > 1:
        raise ValueError("a game is not over while more than one avatar is left")


def _check_history(saved: Saved) -> None:
    board = empty(saved.config.width, saved.config.height, 0)
    for entry in saved.history:
        if entry.player not in saved.players:
            raise ValueError("the history must be about players of the game")
        if isinstance(entry, Moved) and not set(entry.out) <= set(saved.players):
            raise ValueError("the history must be about players of the game")
        if isinstance(entry, Placed):
            _number(board, entry.action.square)
        tile = entry.action.tile if isinstance(entry, Placed) else entry.action
        if tile is not None and tile not in CODES:
            raise ValueError("the history has a tile that does not exist")
        if isinstance(entry, Placed) and entry.action.port not in PORTS:
            raise ValueError("the history has an avatar that is not on a port from A to H")


def _number(board: Position, square: Square) -> int:
    if not (0 <= square.x < board.width and 0 <= square.y < board.height):
        raise ValueError(f"a saved square must be on the board, {board.width} wide and {board.height} high")
    return square.y * board.width + square.x


def _lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lists(part) for key, part in value.items()}
    return [_lists(part) for part in value] if isinstance(value, (list, tuple)) else value
