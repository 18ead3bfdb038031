"""`referee players GAME`: the reference strategies, a line each."""

from __future__ import annotations

import click


@click.command(epilog="Examples:  referee players fish   |   referee play fish my_bot.py minimax:depth=3")
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(game: str, as_json: bool) -> None:
    """List the reference strategies of GAME: names that can be players, and what can be set in each."""
    import msgspec

    from referee.cli.options import named_game
    from referee.entrants import about, parameters, references

    found = references(named_game(game).name)
    if as_json:
        listed = {name: {"about": about(path), "parameters": parameters(path)} for name, path in found.items()}
        click.echo(msgspec.json.encode(listed))
        return
    forms = {
        name: ":".join([name, *([",".join(f"{key}={value}" for key, value in has.items())] if has else [])])
        for name, has in ((name, parameters(path)) for name, path in found.items())
    }
    width = max(map(len, forms.values()), default=0)
    for name, path in found.items():
        click.echo(f"{forms[name]:<{width}}  {about(path)}")
    if not found:
        click.echo(f"There are no reference strategies of {game} here.")
