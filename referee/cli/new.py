"""`referee new GAME FILE.py`: a commented file that plays legally, to start from."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.endings import Mistake, endings
from referee.cli.options import command_line, named_game


@click.command(epilog="Example:  referee new fish my_bot.py && referee check fish my_bot.py")
@click.argument("game")
@click.argument("file")
def command(game: str, file: str) -> None:
    """Write a first strategy for GAME into FILE.

    It plays legally as it is, and its comments say what there is to work with. A file that is there already is
    not overwritten.
    """
    with endings():
        from referee.starting import starter

        text = starter(named_game(game), file)
        path = Path(file)
        if path.suffix != ".py":
            raise Mistake(f"{file} is no name for a Python file; let it end in .py.")
        try:
            with open(path, "x", encoding="utf-8") as new:
                new.write(text)
        except FileExistsError:
            raise Mistake(f"{file} is there already; choose another name, or remove it first.") from None
        except (OSError, UnicodeEncodeError) as error:
            why = getattr(error, "strerror", None) or "its name is not text"
            raise Mistake(f"{file} cannot be written ({why}); choose a folder that is there and yours.") from None
        click.echo(f"{file} is ready; it plays legally as it is. Look at it, change it, and then:")
        click.echo(f"  {command_line('check', game, file)}")
