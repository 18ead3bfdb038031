"""The words beside a drawing: who plays, where it stands, what is going on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.tsuro.history import Moved, Placed

if TYPE_CHECKING:
    from referee.games.tsuro.state import State

LETTERS = "WKRGB"  # of the colours, in seat order; K is black, as printers have it


def headline(state: State) -> str:
    if state.is_over:
        return f"game over after round {state.round}"
    if state.round == 0:
        return "first tiles"
    return f"round {state.round}, turn {state.turn + 1}"


def standing(state: State, seat: int) -> str:
    """What has become of a player."""
    player, fell, avatar = state.players[seat], state.fell[seat], state.position.avatar(seat)
    if player in state.kicked:
        return "kicked"
    if state.is_over and player in state.ranking()[0]:
        return "wins" if fell is None else f"fell in round {fell}, nobody outlived it"
    if fell is not None:
        return f"fell in round {fell}"
    ahead = state.position.looks_at(seat)
    if avatar is None or ahead is None:
        return "to place its first tile" if player == state.to_move else "has no tile yet"
    return f"({avatar.square.x}, {avatar.square.y}) {avatar.port}, looks at ({ahead.x}, {ahead.y})"


def starts(state: State) -> dict[int, Placed]:
    """Where the avatars began whose whole way can still be followed on the tiles, by seat.

    Not so for who was kicked, nor for who went round a loop: later tiles may have prolonged its path.
    """
    looped = {who for entry in state.history if isinstance(entry, Moved) and not entry.placed for who in entry.out}
    return {
        state.players.index(entry.player): entry
        for entry in state.history
        if isinstance(entry, Placed) and entry.player not in looped and entry.player not in state.kicked
    }
