"""The options that every command shares which plays a game, and what they mean to the referee."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from referee.cli.endings import Mistake
from referee.sizes import SizeError, parsed

if TYPE_CHECKING:
    from referee.games.game import Game
    from referee.match import Terms
    from sandbox import Zygote

F = TypeVar("F", bound=Callable[..., Any])


def _size(context: click.Context, option: click.Parameter, text: str) -> int:
    try:
        return parsed(text)
    except SizeError as error:
        raise click.BadParameter(str(error)) from None


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen for a game: its settings, and what every player is given."""

    seed: int = 0
    settings: tuple[str, ...] = ()
    time: float = 5.0
    wall: float = 0.0
    bank: float = 0.0
    setup_time: float = 10.0
    memory: int = 256 << 20
    allow: tuple[str, ...] = ()
    accept_missing_layers: bool = False

    def config(self, game: Game) -> Any:
        """The game's configuration, with what --set says."""
        known = {field.name: field.default for field in msgspec.structs.fields(game.config)}
        given: dict[str, Any] = {}
        for text in self.settings:
            key, sign, value = text.partition("=")
            if not sign or key not in known:
                choices = ", ".join(setting(*field) for field in known.items())
                raise Mistake(f"--set {text}: the settings of {game.name} are {choices}.")
            given[key] = _value(value)
        try:
            return msgspec.convert(given, game.config)
        except msgspec.ValidationError as error:
            raise Mistake(f"--set {' '.join(self.settings)}: {error}.") from None

    def terms(self) -> Terms:
        from referee.match import Terms
        from sandbox import Budget, Limits

        try:
            return Terms(
                move=Budget(cpu=self.time, wall=self.wall),
                setup=Budget(cpu=self.setup_time),
                limits=Limits(memory=self.memory, bank=self.bank),
                allow=self.allow,
            )
        except ValueError as error:
            raise Mistake(f"These limits do not work: {error}.") from None

    def zygote(self, game: Game) -> AbstractContextManager[Zygote]:
        """What makes the boxes of a game; a package that is allowed must be there."""
        from referee.referee import zygote_for

        self.check_allowed()
        return zygote_for(game, allow=self.allow, accept_missing_layers=self.accept_missing_layers)

    def check_allowed(self) -> None:
        import importlib.util

        for name in self.allow:
            if name == "players":
                raise Mistake("--allow players: nobody may hand in our reference strategies as their own.")
            if not name.isidentifier() or importlib.util.find_spec(name) is None:
                raise Mistake(f"--allow {name}: this Python has no package of that name; install it first.")

    def words(self) -> list[str]:
        """The same as a command line has it; what is left out is as it would be anyway."""
        usual = Chosen()
        words = [f"--seed={self.seed}"]
        words += [f"--set={setting}" for setting in self.settings]
        for option in ("time", "wall", "bank", "setup_time"):
            if getattr(self, option) != getattr(usual, option):
                words.append(f"--{option.replace('_', '-')}={getattr(self, option):g}")
        if self.memory != usual.memory:
            whole, rest = divmod(self.memory, 1 << 20)
            words.append(f"--memory={self.memory if rest else f'{whole}M'}")
        words += [f"--allow={name}" for name in self.allow]
        return words + ["--accept-missing-layers"] * self.accept_missing_layers


_OPTIONS = [
    click.option(
        "--seed",
        type=click.IntRange(-(2**63), 2**63 - 1),
        metavar="N",
        default=0,
        show_default=True,
        help="Same seed, same game.",
    ),
    click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting of the game; see `referee games`."
    ),
    click.option("--time", type=float, default=5.0, show_default=True, help="CPU seconds a move."),
    click.option(
        "--wall", type=float, default=0.0, help="Seconds to respond, however spent.  [default: twice --time plus 1]"
    ),
    click.option("--bank", type=float, default=0.0, show_default=True, help="CPU seconds moves may overrun, in all."),
    click.option("--setup-time", type=float, default=10.0, show_default=True, help="CPU seconds to load and set up."),
    click.option(
        "--memory", callback=_size, metavar="SIZE", default="256M", show_default=True, help="Memory of a player."
    ),
    click.option("--allow", multiple=True, metavar="PACKAGE", help="A package that players may import."),
    click.option("--accept-missing-layers", is_flag=True, help="Run files you trust where the box is not whole."),
]


def game_options(function: F) -> F:
    """Adds the options; the command gets them as `chosen`."""

    @functools.wraps(function)
    def with_chosen(*args: Any, **given: Any) -> Any:
        chosen = Chosen(**{name: given.pop(name) for name in Chosen.__struct_fields__})
        return function(*args, chosen=chosen, **given)

    for option in reversed(_OPTIONS):
        with_chosen = option(with_chosen)
    return with_chosen  # type: ignore[return-value]  # of one shape with what came in


def named_game(name: str) -> Game:
    """The game of that name; a mistake names those there are."""
    from referee import games

    if name not in games.names():
        raise Mistake(f"There is no game {name!r}; the games here are {', '.join(games.names())}.")
    return games.get(name)


def command_line(*words: str) -> str:
    """A command to copy into a shell."""
    return shlex.join(["referee", *words])


def _value(text: str) -> Any:
    """JSON where it is, else the text itself: `rows=4`, `board=[[1,2]]`, `tiles=shuffled`."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text


def setting(key: str, default: Any) -> str:
    """With what it is unless set; what is drawn or dealt then has no such value."""
    return key if default is None else f"{key}={default}"
