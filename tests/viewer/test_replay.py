"""What the page of a replay is told, and the commands that write one."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee import games
from referee.cli import main
from referee.cli.again import played_again
from referee.record import Record, read
from referee.viewer.replay import _told
from tests.referee.table import file, play, source, strategy, trusted


def referee(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def recorded(game: str, path: Path, seats: int = 3) -> Record:
    play(game, [trusted(name, strategy(game)) for name in "abcd"[:seats]], record=str(path), seed=5)
    return read(path)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("fish", ["puts a penguin on (", "goes from (", "fish"]),
        ("q", ["puts ", " on (", "points"]),
        ("tsuro", ["begins with tile", "plays tile", "leaves the board"]),
    ],
)
def test_every_move_of_a_game_is_told_in_words(game: str, words: list[str], tmp_path: Path) -> None:
    steps = _told(recorded(game, tmp_path / "game.jsonl"))["steps"]
    told = [step["words"] for step in steps[1:]]
    assert all(told)
    for word in words:
        assert any(word in one for one in told), (word, told)


def test_scores_are_told_step_by_step_and_turns_count_from_the_start(tmp_path: Path) -> None:
    record = recorded("fish", tmp_path / "game.jsonl")
    steps = _told(record)["steps"]
    assert [step["turn"] for step in steps] == list(range(record.turns + 1))
    assert steps[0]["scores"] == [0, 0, 0]
    assert steps[-1]["scores"] == list(record.final().scores().values())


def test_whoever_falls_off_the_board_is_marked_as_out(tmp_path: Path) -> None:
    record = recorded("tsuro", tmp_path / "game.jsonl", seats=4)
    told = _told(record)
    outs = {told["players"][seat]["name"]: step["turn"] for step in told["steps"] for seat in step.get("out", [])}
    fell = {
        name: entry.turn
        for entry in record.final().public().history
        for name in getattr(entry, "out", ())
        if entry.turn < record.turns
    }
    assert fell
    assert outs == fell


def test_play_and_replay_write_the_page(tmp_path: Path) -> None:
    page, again, record = tmp_path / "game.html", tmp_path / "again.html", tmp_path / "game.jsonl"
    shown = referee("play", "fish", "greedy", "b=greedy", "--html", page)
    assert shown.exit_code == 0
    assert f"The replay is in {page}" in shown.stdout
    assert "Recorded in" not in shown.stdout
    assert page.read_text().startswith("<!doctype html>")
    assert referee("play", "fish", "greedy", "b=greedy", "--html", page, "--record", record).exit_code == 0
    assert f"The replay is in {again}" in referee("replay", record, "--html", again).stdout
    assert again.read_text() == page.read_text()


def test_a_page_is_not_written_over_something_else(tmp_path: Path) -> None:
    precious = tmp_path / "game.jsonl"
    precious.write_text("precious")
    for path, words in {
        precious: "is there already and is no page",
        tmp_path: "is a folder",
        tmp_path / "missing" / "a.html": "is in a folder that does not exist",
    }.items():
        shown = referee("play", "fish", "greedy", "b=greedy", "--html", path)
        assert shown.exit_code == 2
        assert words in shown.stderr
    assert precious.read_text() == "precious"


def test_the_command_in_a_page_plays_the_same_game_again(tmp_path: Path) -> None:
    record, again = tmp_path / "game.jsonl", tmp_path / "again.jsonl"
    options = ["--seed", "7", "--set", "rows=4", "--time", "2", "--memory", "128M"]
    referee("play", "fish", "ann=greedy", "minimax:depth=2", *options, "--record", record)
    command = shlex.split(played_again(read(record)))
    assert command[0] == "referee"
    assert referee(*command[1:], "--record", again).exit_code == 0
    assert read(again).header.id == read(record).header.id


def test_a_game_that_no_command_sets_up_has_none(tmp_path: Path) -> None:
    assert played_again(recorded("fish", tmp_path / "game.jsonl")) == ""


def test_what_a_player_prints_is_recorded_with_its_turn_and_bounded(tmp_path: Path) -> None:
    text = """
    def placement(view):
        print(f"placing in turn {view.turn + 1}")
        return view.free_tiles()[0]
    def movement(view):
        print("x" * 30_000)
        return view.legal_moves()[0]
    """
    from referee.referee import zygote_for

    entrants = [file(tmp_path, "loud", source("fish", text)), trusted("b", strategy("fish"))]
    path = tmp_path / "game.jsonl"
    with zygote_for(games.get("fish")) as zygote:
        play("fish", entrants, zygote, record=str(path))
    mine = [line for line in read(path).lines if line.player == "loud"]
    assert [line.output for line in mine[:4]] == [f"placing in turn {line.turn}\n" for line in mine[:4]]
    assert mine[4].output.startswith("x" * 2000)
    assert mine[4].output.endswith("(28001 more characters)")
    assert mine[-1].output == "[30,001 bytes dropped]"
    assert not any(line.output for line in read(path).lines if line.player == "b")
