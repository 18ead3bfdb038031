"""Who is to play, as people write it: a path, a reference strategy's name, or `human`, each with a name if wanted."""

from __future__ import annotations

import ast
import os
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.games.game import Game
from referee.human import Human
from referee.match import Entrant
from sandbox import Submission, SubmissionError, clean
from sandbox.submission import FOLDER_ENTRY, MAX_NAME

HUMAN = "human"
# Beside this package, not found by importing: a folder `players` where the user stands must not take its place.
_PLAYERS = Path(__file__).resolve().parents[1] / "players"


class EntrantError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


def references(game: str) -> dict[str, Path]:
    """The reference strategies of a game by name: files of `players/GAME/`, or folders with `strategy.py`."""
    folder = _PLAYERS / game
    found = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not path.name.startswith(("_", ".")) and (path.suffix == ".py" or (path / FOLDER_ENTRY).is_file()):
            found[path.stem] = path
    return found


def about(path: Path) -> str:
    """What a strategy says of itself, in a line: the first of its docstring."""
    return (ast.get_docstring(_tree(path)) or "").partition("\n\n")[0].replace("\n", " ")


def parameters(path: Path) -> dict[str, Any]:
    """What can be set in a strategy, with the defaults: the arguments of its constructor."""
    for node in _tree(path).body:
        if isinstance(node, ast.ClassDef) and node.name == "Strategy":
            for made in node.body:
                if isinstance(made, ast.FunctionDef) and made.name == "__init__":
                    arguments, defaults = made.args.args[1:], made.args.defaults
                    pairs = zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
                    return {argument.arg: ast.literal_eval(default) for argument, default in pairs}
    return {}


def parse(game: Game, words: Sequence[str]) -> list[Entrant]:
    """The players that words such as `bot.py`, `minimax:depth=3`, `human` or `ann=bot.py` mean, in their order.

    Raises EntrantError. A file that can be read but does not load is no mistake of the user's: see the game.
    """
    split = [_split(word) for word in words]
    chosen = [_name(name) for name, _ in split if name is not None]
    for twice in {name for name in chosen if chosen.count(name) > 1}:
        raise EntrantError(f"Two players are called {_shown(twice)}; give each its own name.")
    entrants: list[Entrant] = []
    for name, player in split:
        entrant = _entrant(game, player)
        taken = {*chosen, *(other.name for other in entrants)}
        final = _distinct(entrant.name, taken) if name is None else _name(name)
        entrants.append(msgspec.structs.replace(entrant, name=final))
    return entrants


def field(game: Game, words: Sequence[str]) -> list[Entrant]:
    """The players of a tournament: as `parse` has them, and of a folder of players every one in it.

    A folder with `strategy.py` is one player; in any other each `.py` file and each such folder is one.
    """
    each: list[str] = []
    for word in words:
        _, player = _split(word)
        if player != HUMAN and player not in references(game.name) and _is_collection(player):
            if player != word:
                raise EntrantError(f"{_shown(word)} names a folder of several players; write just {_shown(player)}.")
            each += _collected(player)
        else:
            each.append(word)
    entrants = parse(game, each)
    if any(entrant.sit is not None for entrant in entrants):
        raise EntrantError("A person cannot play in a tournament; leave out 'human'.")
    _refuse_namesakes(game, each, entrants)
    return entrants


def named(game: Game, name: str, player: str) -> Entrant:
    """The player that PLAYER means, under a name it has already: that of a record, or of a course's list."""
    return msgspec.structs.replace(_entrant(game, player), name=name)


def _is_collection(player: str) -> bool:
    return os.path.isdir(player) and not os.path.lexists(os.path.join(player, FOLDER_ENTRY))


def _collected(folder: str) -> list[str]:
    """The players in a folder, in order of their names; what else lies there is left alone."""
    try:
        inside = sorted(Path(folder).iterdir())
    except OSError as error:
        raise EntrantError(f"The folder {_shown(folder)} cannot be read: {error.strerror}.") from None
    found = [
        # "./" so that no "=" or ":" in a name is taken for anything else.
        os.path.join(".", path)
        for path in inside
        if not path.name.startswith((".", "_")) and (path.suffix == ".py" or (path / FOLDER_ENTRY).is_file())
    ]
    if not found:
        raise EntrantError(
            f"The folder {_shown(folder)} holds no player: no .py file, and no folder with {FOLDER_ENTRY}."
        )
    return found


def _refuse_namesakes(game: Game, words: Sequence[str], entrants: Sequence[Entrant]) -> None:
    """Two files that would go by one name: in a table of many players, -2 says too little."""
    seen: dict[str, str] = {}
    known = references(game.name)
    for word, entrant in zip(words, entrants, strict=True):
        name, _ = _split(word)
        if name is None and word.partition(":")[0] not in known:
            own = entrant.source.name if isinstance(entrant.source, Submission) else entrant.name
            if own in seen:
                raise EntrantError(
                    f"{_shown(seen[own])} and {_shown(word)} would both be called {_shown(own)}; rename one, or "
                    f"write NAME={_shown(word)}."
                )
            seen[own] = word


def _tree(path: Path) -> ast.Module:
    return ast.parse((path / FOLDER_ENTRY if path.is_dir() else path).read_bytes())


def _split(word: str) -> tuple[str | None, str]:
    """NAME=PLAYER; in `minimax:depth=3` and `./a=b.py` the "=" belongs to the player."""
    name, sign, player = word.partition("=")
    if not sign or ":" in name or "/" in name:
        return None, word
    return name, player


def _entrant(game: Game, player: str) -> Entrant:
    known = references(game.name)
    word, _, settings = player.partition(":")
    if player == HUMAN:
        return Entrant(HUMAN, given=HUMAN, sit=Human)
    if word in known:
        source = Submission.read(known[word])
        return Entrant(word, source, given=player, parameters=_settings(known[word], word, settings))
    if not (player == "" or "/" in player or word.endswith(".py") or os.path.lexists(player)):
        raise EntrantError(
            f"There is no player {_shown(player)}: no such file or folder, and the reference strategies of {game.name} "
            f"are {_listed(known)}; {HUMAN!r} is a person at the terminal."
        )
    try:
        source = Submission.read(player)
    except SubmissionError as error:
        raise EntrantError(f"{error} Reference strategies of {game.name}: {_listed(known)}.") from None
    # The record is UTF-8, which not every path is.
    return Entrant(source.name, source, given=clean(player, 4096))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _shown(text: str) -> str:
    return f"'{clean(text, 100)}'"


def _settings(path: Path, word: str, text: str) -> dict[str, Any]:
    """The parameters of `minimax:depth=3,other=4`; each must be one of the strategy's, of its default's type."""
    allowed, given = parameters(path), {}
    for item in filter(None, text.split(",")):
        key, _, value = item.partition("=")
        if key not in allowed:
            has = ", ".join(f"{name}={default}" for name, default in allowed.items())
            what = f"what it has is {word}:{has}" if has else f"it has none: write just {word}"
            raise EntrantError(f"{word} has no parameter {_shown(key)}; {what}.")
        kind = type(allowed[key])
        try:
            given[key] = msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError:
            shown = clean(value, 100)
            raise EntrantError(f"{word}:{key} must be of type {kind.__name__}, as in {word}:{key}={allowed[key]}, "
                               f"not {shown!r}.") from None  # fmt: skip
    return given


def _name(text: str) -> str:
    """A name as the user chose it, safe to show."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise EntrantError(f"The name {_shown(text)} is not text; take letters and digits.")
    name = clean(" ".join(unicodedata.normalize("NFC", text).split()), 10 * MAX_NAME)
    if not name:
        raise EntrantError("A player's name is empty; write NAME=PLAYER, or just PLAYER.")
    if len(name) > MAX_NAME:
        raise EntrantError(f"The name {_shown(name)} is longer than {MAX_NAME} characters; take a shorter one.")
    return name


def _distinct(name: str, taken: set[str]) -> str:
    """`a`, or `a-2`, `a-3` and so on where it is taken."""
    final, number = name, 1
    while final in taken:
        number += 1
        suffix = f"-{number}"
        final = name[: MAX_NAME - len(suffix)] + suffix
    return final
