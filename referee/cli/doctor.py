"""`referee doctor`: a table of the layers and one closing verdict."""

from __future__ import annotations

import sys

import click


@click.command(epilog="Examples:  referee doctor   |   referee doctor --json && echo fit")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(as_json: bool) -> None:
    """Say whether this machine may run strangers' code.

    Starts a real worker with every layer this machine has and lets it try to get out. Exits with 0 if
    strangers' code may be run here, else with 1.
    """
    from sandbox import doctor

    found = doctor.examine()
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(found))
    else:
        _draw(found)
    sys.exit(0 if found.fit else 1)


def _draw(found: object) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from sandbox.doctor import Diagnosis

    assert isinstance(found, Diagnosis)
    console = Console(width=None if sys.stdout.isatty() else 110, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("layer", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("what it is for, and what to do", overflow="fold")
    colour = {"active": "green", "not needed": "green", "off": "yellow", "missing": "red", "refused": "red"}
    for line in found.layers:
        notes = [line.purpose]
        if line.why:
            notes.append(f"{'note' if line.state in ('active', 'not needed') else 'why'}: {line.why}")
        if line.advice:
            notes.append(f"do: {line.advice}")
        table.add_row(line.layer, f"[{colour[line.state]}]{line.state}[/]", "\n".join(notes))
    console.print(table)
    gib = found.memory / (1 << 30)
    console.print(
        f"{found.system} {found.kernel} on {found.machine}, Python {found.python}, {found.cores} cores, "
        f"{gib:.1f} GiB of memory, run by {found.user}"
    )
    console.print(found.verdict, style="bold green" if found.fit else "bold red", markup=False)
