"""What a format must know besides the players."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a tournament; each format looks at those it needs."""

    seats: int  # at a table; in a knock-out the most there may be
    games: int  # for each table; in a head-to-head the most there may be
    lowest: int = 2  # seats the game can be played with
    rounds: int = 0  # of Swiss; 0 is as many as it takes to find one leader
    through: int = 1  # ranks of a table that go on in a knock-out
    elo0: float = 0.0  # in a head-to-head, the lead that is no progress,
    elo1: float = 50.0  # and the one that is
    alpha: float = 0.05  # how often no progress may be taken for some,
    beta: float = 0.05  # and the other way round

    def require_a_table(self, players: Sequence[str]) -> None:
        """A ValueError if these players cannot fill one."""
        if len(players) < self.seats:
            raise ValueError(
                f"a table has {self.seats} seats and there are only {len(players)} players: "
                "give more players, or fewer seats if the game allows it"
            )
