"""`referee games`: what can be played here, and what can be set in it."""

from __future__ import annotations

from typing import Any

import click


@click.command(epilog="Examples:  referee games   |   referee play fish greedy random --set rows=4 --set columns=4")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(as_json: bool) -> None:
    """List the games, how many can play, what a strategy must define, and the settings with their defaults."""
    import importlib

    import msgspec

    from referee import games
    from referee.cli.options import setting

    listed: dict[str, dict[str, Any]] = {}
    for name in games.names():
        game = games.get(name)
        about = importlib.import_module(games.package(name)).__doc__ or ""
        listed[name] = {
            "about": about.strip().partition("\n")[0],
            "seats": list(game.seats),
            "required": list(game.required),
            "optional": list(game.optional),
            "settings": {field.name: field.default for field in msgspec.structs.fields(game.config)},
        }
    if as_json:
        click.echo(msgspec.json.encode(listed))
        return
    for name, line in listed.items():
        seats = line["seats"]
        click.echo(f"{name}, {seats[0]} to {seats[-1]} players")
        click.echo(f"  {line['about']}")
        click.echo(f"  define: {', '.join(line['required'])}; if wanted: {', '.join(line['optional'])}")
        click.echo(f"  --set:  {', '.join(setting(*field) for field in line['settings'].items())}")
        click.echo("")
