"""The words that name players: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee import games
from referee.entrants import EntrantError, about, named, parameters, parse, references
from referee.human import Human
from sandbox import Submission

FISH = games.get("fish")


def names(*words: str) -> list[str]:
    return [entrant.name for entrant in parse(FISH, words)]


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def placement(view): ...\ndef movement(view): ...\n")
    return "bot.py"


def test_a_file_plays_under_its_own_name(bot: str) -> None:
    (entrant,) = parse(FISH, [bot])
    assert (entrant.name, entrant.given) == ("bot", "bot.py")
    assert isinstance(entrant.source, Submission)
    assert entrant.sha256 == Submission.read(bot).sha256


def test_a_folder_is_a_player_too(bot: str) -> None:
    os.mkdir("team")
    Path("team/strategy.py").write_text("x = 1\n")
    (entrant,) = parse(FISH, ["team"])
    assert entrant.name == "team"
    assert entrant.source is not None


def test_a_reference_strategy_is_named_by_its_file_and_takes_parameters() -> None:
    plain, deep = parse(FISH, ["greedy", "minimax:depth=3"])
    assert (plain.name, plain.parameters) == ("greedy", {})
    assert (deep.name, deep.given, deep.parameters) == ("minimax", "minimax:depth=3", {"depth": 3})


def test_human_is_a_person() -> None:
    (entrant,) = parse(FISH, ["human"])
    assert entrant.sit is Human
    assert entrant.source is None


def test_a_name_can_be_given_to_any_player(bot: str) -> None:
    assert names("ann=bot.py", "bob=minimax:depth=3", "eve=human") == ["ann", "bob", "eve"]


def test_an_equals_sign_after_a_slash_or_a_colon_belongs_to_the_player(bot: str) -> None:
    Path("a=b.py").write_text("x = 1\n")
    assert names("./a=b.py", "minimax:depth=2") == ["a=b", "minimax"]


def test_names_that_were_not_given_are_made_distinct(bot: str) -> None:
    assert names("greedy", "greedy", "greedy") == ["greedy", "greedy-2", "greedy-3"]
    assert names("greedy", "greedy-2=random", "greedy") == ["greedy", "greedy-2", "greedy-3"]
    assert names("greedy", "greedy=random") == ["greedy-2", "greedy"]


def test_a_long_name_stays_short_when_it_is_made_distinct(bot: str) -> None:
    Path(f"{'x' * 60}.py").write_text("x = 1\n")
    made = names(*[f"{'x' * 60}.py"] * 2)
    assert [len(name) for name in made] == [40, 40]
    assert made[0] != made[1]


def test_what_a_name_holds_that_cannot_be_seen_is_escaped() -> None:
    assert names("a\x1b[31m=greedy") == ["a\\x1b[31m"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gredy"], "no player 'gredy'.*greedy, minimax, random, strong.*human"),
        (["missing.py"], "missing.py does not exist.*greedy, minimax"),
        (["./missing"], "does not exist"),
        ([""], "empty"),
        (["a="], "empty"),
        (["=greedy"], "name is empty"),
        (["  =greedy"], "name is empty"),
        (["a=greedy", "a=random"], "Two players are called 'a'"),
        (["x" * 41 + "=greedy"], "longer than 40"),
        (["\udcff=greedy"], "not text"),
        (["\udcff"], "no player"),
        (["minimax:depht=3"], "no parameter 'depht'.*minimax:depth=2"),
        (["minimax:depth=deep"], "depth must be of type int.*'deep'"),
        (["greedy:depth=3"], "has none"),
        (["human:fast=1"], "no player 'human:fast=1'"),
        (["/dev/null"], "device"),
    ],
)
def test_a_word_that_means_nobody_is_refused_in_a_sentence(words: list[str], said: str, bot: str) -> None:
    with pytest.raises(EntrantError, match=said) as refused:
        parse(FISH, words)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_record_that_names_a_strange_path_is_still_text(bot: str) -> None:
    os.rename("bot.py", os.fsencode("b\udcff.py"))
    (entrant,) = parse(FISH, ["./b\udcff.py"])
    assert entrant.given == "./b\\udcff.py"
    assert entrant.name.isascii()


def test_a_player_can_be_reopened_under_a_name_no_word_could_give_it(bot: str) -> None:
    assert named(FISH, "a:b=c", "minimax:depth=3").name == "a:b=c"


@pytest.mark.parametrize("game", games.names())
def test_every_reference_strategy_says_in_a_line_what_it_does(game: str) -> None:
    found = references(game)
    assert "random" in found
    for name, path in found.items():
        assert about(path), name
        assert "\n" not in about(path)
        settings = ",".join(f"{key}={value}" for key, value in parameters(path).items())
        (entrant,) = parse(games.get(game), [f"{name}:{settings}"])
        assert entrant.parameters == parameters(path)


def test_a_game_without_reference_strategies_has_none() -> None:
    assert references("no-such-game") == {}
