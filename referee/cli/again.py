"""The commands that bring a recorded game back: all of it, or the questions to one player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from referee.cli.options import Chosen, command_line

if TYPE_CHECKING:
    from referee.record import Record


def played_again(record: Record) -> str:
    """What plays a game again; nothing for one that a command cannot set up alone."""
    header = record.header
    given = [player.get("given") or "" for player in header.players]
    if header.start is not None or not all(given):
        return ""
    usual = msgspec.to_builtins(record.game.config())
    terms = header.terms
    chosen = Chosen(
        seed=header.seed,
        settings=tuple(
            f"{key}={msgspec.json.encode(value).decode()}"
            for key, value in header.config.items()
            if value != usual.get(key)
        ),
        time=terms.move.cpu,
        wall=terms.move.wall,
        bank=terms.limits.bank,
        setup_time=terms.setup.cpu,
        memory=terms.limits.memory,
        allow=terms.allow,
    )
    players = (f"{player['name']}={player['given']}" for player in header.players)
    return command_line("play", header.game, *players, *chosen.words())


def asked_again(path: str, record: Record, names: Iterable[str]) -> dict[str, str]:
    """What asks each of these players the same again, if it was a file."""
    given: dict[str, str] = {player["name"]: player.get("given", "") for player in record.header.players}
    return {name: command_line("reproduce", path, given[name], "--player", name) for name in names if given[name]}
