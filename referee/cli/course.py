"""`referee course new DIR --game GAME`: a folder that submissions can be handed in to."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.endings import Mistake, endings
from referee.cli.options import command_line, named_game

EPILOG = """
\b
Example:
  referee course new autumn --game fish
  referee submit autumn my_bot.py --as ann
"""


@click.group(epilog=EPILOG)
def command() -> None:
    """Make a course: a folder with course.toml, and later a roster.csv and the store of what was handed in."""


@command.command(epilog=EPILOG)
@click.argument("folder", metavar="DIR")
@click.option("--game", required=True, help="What is played; see `referee games`.")
@click.option("--title", default="", help="What the course is called.  [default: as the folder is]")
def new(folder: str, game: str, title: str) -> None:
    """Make the course DIR: a course.toml that works as it is, with a comment for everything that can be set.

    A course that is there already is not overwritten.
    """
    with endings():
        from referee.grading.course import FILE, read
        from referee.grading.template import template

        rules = named_game(game)
        place = Path(folder)
        file = place / FILE
        try:
            place.mkdir(parents=True, exist_ok=True)
            with open(file, "x", encoding="utf-8") as new_file:
                new_file.write(template(rules, title or place.absolute().name))
        except FileExistsError:
            raise Mistake(f"{file if file.exists() else folder} is there already; choose another folder.") from None
        except (OSError, UnicodeEncodeError) as error:
            why = getattr(error, "strerror", None) or "its name is not text"
            raise Mistake(f"{file} cannot be written ({why}); choose a folder that is yours.") from None
        read(place)
        click.echo(f"{file} is ready; look at it, and change it. If there is a roster.csv beside it (name, id,")
        click.echo("SIS id, section), only the students in it can hand in. Then:")
        click.echo(f"  {command_line('submit', folder, 'FILE.py', '--as', 'STUDENT')}")
