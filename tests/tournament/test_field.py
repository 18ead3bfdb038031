"""Who plays in a tournament: files, references, names, and folders of players; a sentence for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from referee.entrants import EntrantError, field
from sandbox import SubmissionError
from sandbox.submission import LIMITS
from tests.referee.table import source

FISH = games.get("fish")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where we stand; in it a folder of two files, a player that is a folder, and what is no player."""
    monkeypatch.chdir(tmp_path)
    handed_in = tmp_path / "in"
    (handed_in / "zoe").mkdir(parents=True)
    (handed_in / "notes").mkdir()
    for name in ("ann.py", "bob.py", "zoe/strategy.py", "_draft.py", ".hidden.py", "notes/todo.py"):
        (handed_in / name).write_text(source("fish"))
    (handed_in / "README.md").write_text("")
    return tmp_path


def names(*words: str) -> list[str]:
    return [entrant.name for entrant in field(FISH, words)]


def test_a_folder_of_players_is_each_of_them_in_order_of_their_names(folder: Path) -> None:
    assert names("in") == names("in/") == names(str(folder / "in")) == ["ann", "bob", "zoe"]


def test_a_folder_with_strategy_is_one_player(folder: Path) -> None:
    assert names("in/zoe", "me=in/zoe") == ["zoe", "me"]


def test_folders_mix_with_files_references_and_names(folder: Path) -> None:
    assert names("greedy", "in", "eve=in/ann.py", "minimax:depth=2", "greedy") == [
        "greedy", "ann", "bob", "zoe", "eve", "minimax", "greedy-2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["empty", "greedy"], "'empty' holds no player"),
        (["in", "other"], "'./in/ann.py' and './other/ann.py' would both be called 'ann'"),
        (["ann.py", "in/ann.py"], "'ann.py' and 'in/ann.py' would both be called 'ann'"),
        (["in/ann.py", "in/ann.py"], "would both be called 'ann'; rename one, or write NAME="),
        (["x=in/ann.py", "x=in/bob.py"], "Two players are called 'x'"),
        (["all=in"], "names a folder of several players; write just 'in'"),
        (["greedy", "human"], "A person cannot play in a tournament"),
        (["in", "nowhere/"], "nowhere"),
        (["greedy", "nobody"], "There is no player 'nobody'"),
    ],
)
def test_a_mistake_is_a_sentence(words: list[str], sentence: str, folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "empty" / "notes.txt").write_text("")
    (folder / "other").mkdir()
    for name in ("other/ann.py", "ann.py"):
        (folder / name).write_text(source("fish"))
    with pytest.raises(EntrantError) as mistake:
        field(FISH, words)
    assert sentence in str(mistake.value)
    assert str(mistake.value).endswith(".")


@pytest.mark.parametrize("broken", ["large", "link", "pipe"])
def test_a_file_in_a_folder_that_cannot_be_read_is_named(broken: str, folder: Path) -> None:
    import os

    path = folder / "in" / "bad.py"
    if broken == "large":
        path.write_bytes(b"#" * (LIMITS["Python source"] + 1))
    elif broken == "link":
        path.symlink_to("nowhere.py")
    else:
        os.mkfifo(path)
    with pytest.raises((EntrantError, SubmissionError), match=r"in/bad\.py"):
        field(FISH, ["in"])


def test_a_file_with_a_syntax_error_is_a_player(folder: Path) -> None:
    (folder / "in" / "bad.py").write_text("def placement(view:\n")
    assert names("in") == ["ann", "bad", "bob", "zoe"]


def test_names_of_files_are_shown_inert(folder: Path) -> None:
    for name in ("\x1b[31mred.py", "[bold]x.py", "=1+1.py", "a=b:c.py"):
        (folder / "in" / name).write_text(source("fish"))
    found = names("in")
    assert "[bold]x" in found
    assert "=1+1" in found
    assert "a=b:c" in found
    assert not any("\x1b" in name for name in found)
