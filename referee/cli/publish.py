"""`referee publish COURSE`: lets students see what waits for it."""

from __future__ import annotations

import click

from referee.cli.endings import endings


@click.command(epilog="Examples:  referee publish autumn   |   referee publish autumn --undo")
@click.argument("course")
@click.option("--undo", is_flag=True, help="Close it again.")
def command(course: str, undo: bool) -> None:
    """Open the checks of COURSE whose visibility is "after-published"; the next `referee grade` shows them."""
    with endings():
        from datetime import UTC, datetime
        from pathlib import Path

        from referee.grading.desk import Desk
        from referee.grading.rubric import Visibility
        from referee.grading.times import shown

        desk = Desk(Path(course))
        with desk.store.locked():
            before = desk.store.published()
            now = None if undo else before or datetime.now(UTC)
            desk.store.publish(now)
        waiting = [
            check.title for check in desk.course.rubric.checks if check.visibility is Visibility.AFTER_PUBLISHED
        ]
        which = ", ".join(waiting) or "no check waits for it"
        if now is None:
            click.echo(f"Closed: {which}." if before else f"It was not published: {which}.")
        else:
            again = "Published already, since" if before else "Published"
            click.echo(f"{again} {shown(now, desk.course.zone)}: {which}.")
