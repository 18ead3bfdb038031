"""What each player printed since it was last listened to: for the record, a bounded piece a turn."""

from __future__ import annotations

from referee.player import Player
from sandbox import Usage, clean

LONGEST = 2000  # characters of a turn


class Printing:
    """Listens to the players of one game. What a box keeps is bounded, and so is all of this together."""

    def __init__(self, kept: int) -> None:
        self._kept = kept  # bytes a box keeps of what its player prints in a game
        self._heard: dict[str, tuple[int, int]] = {}  # by player: the bytes it had printed, the characters shown

    def new(self, player: Player, used: Usage) -> str:
        """What a player has printed that was not told before; `used` is its usage by now."""
        total, shown = self._heard.get(player.name, (0, 0))
        if used.output == total:  # nearly always: to put the text together takes longer
            return ""
        if total >= self._kept:
            self._heard[player.name] = used.output, shown
            return f"[{used.output - total:,} bytes dropped]"
        whole = player.output
        self._heard[player.name] = used.output, len(whole)
        return clean(whole[shown:], LONGEST, keep="\n\t")
