"""The positions that every file is asked about: a seeded set from games of the reference strategies, and saved ones."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Sequence
from typing import Any

import msgspec

from referee import record
from referee.admission import UnfitSettings
from referee.entrants import parameters, parse, references
from referee.games.game import Ask, Game, State
from referee.match import Terms, derived
from referee.recorder import digest
from referee.referee import Referee
from sandbox import Zygote, clean

SAVED = "saved"  # how much of its game had been played, nobody knows
PHASES = ("opening", "middle", "end", SAVED)
_A_GAME = 2  # positions of each phase, at most, from one game


class StateError(ValueError):
    """A saved state in which nobody is asked for a move; the text is a sentence."""


class Position(msgspec.Struct, frozen=True):
    """A state in which somebody is asked for a move."""

    id: str  # the same in every run that asks the same
    source: str  # "game 1", or the file it was saved in
    phase: str
    state: State
    ask: Ask
    choices: int | None  # legal moves, in a game whose views can tell

    @property
    def turn(self) -> int:
        return self.state.turn + 1


class Sitting(msgspec.Struct, frozen=True):
    """Positions that one player met in one game, in turn order: one instance of a strategy answers them, as in play."""

    number: int
    positions: tuple[Position, ...]

    def setup(self) -> Ask | None:
        """What whoever sits down here is told first, as in a game that is resumed."""
        state, player = self.positions[0].state, self.positions[0].ask.player
        state = state.reseated(state.players)
        while (ask := state.ask()) is not None and ask.reply is None:
            if (ask.player, ask.method) == (player, "setup"):
                return ask
            state = state.commit(None)
        return None


def drawn(game: Game, words: Sequence[str], count: int, *, config: Any, seed: int, zygote: Zygote) -> list[Sitting]:
    """About `count` positions, a third of them from each third of a game; fewer where games are too short for that.

    They depend on the game, its configuration and the seed. Only in a game without reference strategies do those
    whom `words` names play.
    """
    sizes = _sizes(game, config)
    wanted = {phase: count // 3 + (number < count % 3) for number, phase in enumerate(PHASES[:3])}
    known: set[str] = set()
    sittings: list[Sitting] = []
    for number in range(1, count + 10):
        if not any(wanted.values()):
            break
        chance = random.Random(derived(seed, "positions", number))
        players = _players(game, words, sizes[number % len(sizes)], chance)
        met = _met(_played(game, players, config, derived(seed, "game", number), zygote), f"game {number}")
        chosen: list[Position] = []
        for phase, missing in wanted.items():
            new = [position for position in met if position.phase == phase and position.id not in known]
            chosen += chance.sample(new, min(len(new), missing, _A_GAME))
        for position in chosen:
            wanted[position.phase] -= 1
            known.add(position.id)
        if chosen:
            sittings.append(Sitting(len(sittings), tuple(sorted(chosen, key=lambda position: position.turn))))
    if count and not sittings:
        raise UnfitSettings(f"With these settings nobody has anything to choose in {game.name}; give others.")
    return sittings


def saved(state: State, path: str) -> Position:
    """The next move of a saved game; calls that want none are passed over."""
    path = clean(path, 4096)  # the report is UTF-8, which not every path is
    while (ask := state.ask()) is not None and ask.reply is None and not state.is_over:
        state = state.commit(None)
    if ask is None or state.is_over:
        raise StateError(f"In {path} the game is over and nobody is asked for a move; save an earlier turn.")
    return Position(digest(state), path, SAVED, state, ask, _choices(ask))


def _sizes(game: Game, config: Any) -> list[int]:
    """The smallest and the largest table that the settings fit."""
    why = ""
    fitting = []
    for size in game.seats:
        try:
            game.setup([str(seat) for seat in range(size)], config, 0)
            fitting.append(size)
        except ValueError as error:
            why = why or str(error)
    if not fitting:
        raise UnfitSettings(f"These settings fit no table of {game.name}: {why}.")
    return [fitting[0], fitting[-1]]


def _players(game: Game, words: Sequence[str], size: int, chance: random.Random) -> list[str]:
    """Who plays, in seat order: of the reference strategies those that do not search, as their parameters betray."""
    known = references(game.name)
    quick = [name for name, place in known.items() if not parameters(place)] or list(known) or list(words)
    return [name for _ in range(0, size, len(quick)) for name in chance.sample(quick, len(quick))][:size]


def _played(game: Game, players: list[str], config: Any, seed: int, zygote: Zygote) -> list[record.Call]:
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        place = os.path.join(folder, "game.jsonl")
        Referee(game, parse(game, players), config=config, seed=seed, terms=Terms(), zygote=zygote, record=place).run()
        return list(record.read(place).calls())


def _met(calls: list[record.Call], source: str) -> list[Position]:
    """The positions of the player who was asked most, the first such to be asked; not those where nothing is legal."""
    asked: dict[str, list[Position]] = {}
    for state, ask, _, _ in calls:
        if ask is not None and ask.reply is not None and (choices := _choices(ask)) != 0:
            phase = PHASES[min(2, 3 * state.turn // calls[-1].state.turn)]
            asked.setdefault(ask.player, []).append(Position(digest(state), source, phase, state, ask, choices))
    return max(asked.values(), key=len, default=[])


def _choices(ask: Ask) -> int | None:
    return len(ask.view.legal_moves()) if hasattr(ask.view, "legal_moves") else None
