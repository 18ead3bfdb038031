"""The command `referee`: one file a command, each imported only when it is called."""

from __future__ import annotations

import importlib

import click

# name: (module, one line for --help). The line stands here so that --help imports no command.
_COMMANDS = {
    "doctor": ("referee.cli.doctor", "Say whether this machine may run strangers' code."),
    "games": ("referee.cli.games", "List the games and what can be set in them."),
    "players": ("referee.cli.players", "List a game's reference strategies."),
    "new": ("referee.cli.new", "Write a commented file that plays legally, to start from."),
    "check": ("referee.cli.check", "Say whether a file would be admitted, and what is wrong with it."),
    "play": ("referee.cli.play", "Play one game between files, reference strategies and people."),
    "replay": ("referee.cli.replay", "Show a recorded game, or its state after any turn."),
    "resume": ("referee.cli.resume", "Play a recorded game on from any turn, with the same players or others."),
    "verify": ("referee.cli.verify", "Say whether a record is true."),
    "reproduce": ("referee.cli.reproduce", "Ask a file what it was asked in a recorded game, and show where it fails."),
    "bench": ("referee.cli.bench", "Say how fast strategies are, and whether they have become slower."),
    "tournament": ("referee.cli.tournament", "Play many games, on many cores or machines, and rate the players."),
    "standings": ("referee.cli.standings", "Show the table of a tournament."),
    "matches": ("referee.cli.matches", "List the matches of a tournament."),
    "cluster": ("referee.cli.cluster", "Let this machine play matches of tournaments that are run elsewhere."),
    "course": ("referee.cli.course", "Make a course: a folder that submissions can be handed in to."),
    "submit": ("referee.cli.submit", "Hand in a file, a folder or a zip to a course, or the work of a whole class."),
    "submissions": ("referee.cli.submissions", "List what was handed in to a course, and what counts."),
    "grade": ("referee.cli.grade", "Grade the submissions of a course, or one file, by a rubric."),
    "publish": ("referee.cli.publish", "Let students see the checks of a course that wait for it."),
}


class _Lazy(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(_COMMANDS[name][0]).command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="referee")
def main() -> None:
    """A referee for games between strangers' programs.

    Each strategy is a Python file. It runs in its own locked process; the referee, outside, asks it for
    moves, judges them by the rules, and shows out whoever crashes, hangs or cheats.

    \b
    Examples:
      referee new fish my_bot.py
      referee check fish my_bot.py
      referee play fish my_bot.py greedy
      referee tournament fish bots/ --journal league.db
      referee grade autumn
    """
