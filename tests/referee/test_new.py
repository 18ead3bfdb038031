"""What a newcomer meets first: the games, their players, and a file to start from."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from referee import games
from referee.cli import main
from referee.entrants import references
from referee.starting import starter


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_games_tells_seats_methods_and_settings() -> None:
    told = run("games").stdout
    assert "fish, 2 to 4 players" in told
    assert "placement, movement" in told
    assert "rows=5" in told
    listed = msgspec.json.decode(run("games", "--json").stdout)
    assert listed["tsuro"]["seats"] == [3, 4, 5]
    assert listed["q"]["settings"]["q_bonus"] == 8


@pytest.mark.parametrize("game", games.names())
def test_players_lists_every_reference_strategy_in_a_line(game: str) -> None:
    lines = run("players", game).stdout.splitlines()
    assert [line.split()[0].partition(":")[0] for line in lines] == list(references(game))
    assert set(msgspec.json.decode(run("players", game, "--json").stdout)) == set(references(game))


@pytest.mark.parametrize("command", [["players", "chess"], ["new", "chess", "bot.py"], ["check", "chess", "bot.py"]])
def test_an_unknown_game_is_a_mistake_that_names_the_known_ones(command: list[str]) -> None:
    done = run(*command)
    assert done.exit_code == 2
    assert "fish, q, tsuro" in done.stderr


@pytest.mark.parametrize("game", games.names())
def test_a_new_file_plays_legally_as_it_is(game: str, tmp_path: Path) -> None:
    path = tmp_path / "my bot.py"
    done = run("new", game, str(path))
    assert done.exit_code == 0, done.stderr
    assert f"referee check {game} '{path}'" in done.stdout
    assert "FILE" not in path.read_text()
    checked = run("check", game, str(path))
    assert checked.exit_code == 0, checked.stdout
    assert "would be admitted" in checked.stdout


def test_a_new_file_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("precious")
    done = run("new", "fish", str(path))
    assert done.exit_code == 2
    assert "is there already" in done.stderr
    assert path.read_text() == "precious"


@pytest.mark.parametrize("name", ["bot.txt", "bot", "no/such/folder/bot.py", "", "x" * 300 + ".py"])
def test_a_name_that_no_file_can_have_is_a_mistake(name: str, tmp_path: Path) -> None:
    done = run("new", "fish", str(tmp_path / name) if name else "")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: ")


def test_a_game_of_another_package_gets_the_plainest_file() -> None:
    class Chess:
        name = "chess"
        required = ("move",)

    text = starter(Chess(), "bot.py")  # type: ignore[arg-type]
    scope: dict[str, type] = {}
    exec(compile(text, "bot.py", "exec"), scope)
    assert callable(scope["Strategy"]().move)


def test_help_is_quick_and_shows_examples() -> None:
    fastest = 9.0
    for _ in range(5):
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", "from referee.cli import main; main(['--help'])"], capture_output=True, check=True
        )
        fastest = min(fastest, time.monotonic() - begun)
    assert b"play" in done.stdout
    assert fastest < 0.5  # 0.15 on a machine with nothing else to do
    for command in ("games", "players", "new", "check", "play"):
        assert "Example" in run(command, "--help").stdout
