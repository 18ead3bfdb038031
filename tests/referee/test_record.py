"""A record: what it holds, that the whole game can be computed again from it, and that nothing false passes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import games
from referee.events import Event
from referee.player import plain_form
from referee.record import RecordError, read
from referee.recorder import KickLine, identity
from referee.referee import Referee
from sandbox import Submission
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, QUICK, edited, file, play, reference, references, source


@pytest.fixture
def fish(zygotes: Zygotes, tmp_path: Path) -> Path:
    """The record of a game of Fish in which the second player is kicked in the middle."""
    bad = source("fish", "def movement(view): return view.legal_moves()[0] if view.turn < 13 else None\n")
    path = tmp_path / "fish.jsonl"
    entrants = [reference("fish", "a"), file(tmp_path, "bad", bad), reference("fish", "c", "minimax:depth=1")]
    play("fish", entrants, zygotes("fish"), record=str(path), seed=11)
    return path


def test_the_header_says_who_played_what_under_which_terms(fish: Path) -> None:
    header = read(fish).header
    assert (header.format, header.game, header.seed) == (1, "fish", 11)
    assert header.config["rows"] == 5
    a, bad, c = header.players
    assert (a["name"], a["given"], a["parameters"]) == ("a", "greedy", {})
    assert bad["sha256"] == Submission.read(bad["given"]).sha256
    assert c["parameters"] == {"depth": 1}
    assert {player["color"] for player in header.players} < {"red", "white", "brown", "black"}
    assert header.terms == QUICK
    assert {"seccomp", "rlimits"} <= set(header.layers)
    assert set(header.versions) == {"python", "referee"}


def test_the_id_is_of_what_decides_a_game(fish: Path) -> None:
    header = read(fish).header
    replace = msgspec.structs.replace
    assert header.id == identity(header)
    assert header.id == identity(replace(header, versions={}, layers=[]))
    for other in (replace(header, seed=12), replace(header, config={}), replace(header, players=header.players[:2])):
        assert header.id != identity(other)


def test_every_answer_is_recorded_with_its_cost(fish: Path) -> None:
    lines = read(fish).lines
    assert [line.turn for line in lines] == list(range(1, len(lines) + 1))
    moves = [line for line in lines if not isinstance(line, KickLine)]
    assert all(line.cpu > 0 and line.wall > 0 and line.memory > 0 for line in moves)
    (kick,) = [line for line in lines if isinstance(line, KickLine)]
    assert (kick.player, kick.verdict.ending, kick.verdict.method) == ("bad", "illegal-move", "movement")


@pytest.mark.parametrize("game", KINDS)
def test_a_record_tells_the_events_that_observers_were_told(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    broken = file(tmp_path, "broken", "1 / 0")
    bad = file(tmp_path, "bad", source(game, "def game_over(outcome): 1 / 0\n"))
    told: list[Event] = []
    entrants = [reference(game, "a"), broken, bad, reference(game, "d")]
    referee = Referee(games.get(game), entrants, terms=QUICK, zygote=zygotes(game), record=str(path))
    referee.subscribe(told.append)
    result = referee.run()
    again = list(read(path).events())
    assert [type(event) for event in again] == [type(event) for event in told]
    for then, now in zip(told, again, strict=True):
        assert (now.state, now.call) == (then.state, then.call)
        for field in ("player", "method", "verdict", "turn"):
            assert getattr(now, field, None) == getattr(then, field, None)
    ended: Any = again[-1]
    assert ended.result.ranking == result.ranking
    assert ended.result.usage == result.usage


@pytest.mark.parametrize("game", KINDS)
def test_the_state_after_any_turn_can_be_had(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play(game, references(game), zygotes(game), record=str(path))
    record = read(path)
    assert record.at(0) == record.start()
    for turn in (1, 5, record.turns):
        state = record.at(turn)
        assert state.turn == turn
        assert games.get(game).load(state.save()) == state
    with pytest.raises(RecordError, match=f"no turn {record.turns + 1}: the record has turns 1 to {record.turns}"):
        record.at(record.turns + 1)


def test_a_turn_of_a_resumed_game_keeps_its_number(fish: Path, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "resumed.jsonl"
    entrants = [reference("fish", name) for name in "xyz"]
    play("fish", entrants, zygotes("fish"), start=read(fish).at(6), record=str(path))
    record = read(path)
    record.verify()
    assert record.at(0) == record.at(6) == record.start()
    assert record.at(7).turn == 7
    with pytest.raises(RecordError, match="turns 7 to"):
        record.at(5)


# What is not true


@pytest.mark.parametrize(
    ("pattern", "by", "line", "why"),
    [
        (r'"seed":11', '"seed":12', 1, r"line 1: the id"),
        (r'"given":"greedy"', '"given":"strong"', 1, r"line 1: the id"),
        (r'"action":\[(\d),(\d)\]', r'"action":[9,\2]', 2, r"line 2: the rules refuse it"),
        (r'"player":"a"', '"player":"c"', 2, r"line 2: .c. is not asked for .placement. here"),
        (r'"method":"placement"', '"method":"movement"', 2, r"line 2: .a. is not asked"),
        (r'"turn":1\b', '"turn":2', 2, r"line 2: this is turn 1, not 2"),
        (r'"call":3\b', '"call":5', 2, r"line 2"),
    ],
)
def test_a_line_that_was_changed_is_found(fish: Path, pattern: str, by: str, line: int, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        read(edited(fish, pattern, by, line)).verify()


def test_another_legal_move_is_found_by_the_next_digest(fish: Path) -> None:
    record = read(fish)
    state = record.at(2)
    recorded: Any = record.lines[2]
    other = next(tile for tile in state.legal_moves() if list(tile) != recorded.action)  # type: ignore[attr-defined]
    false = edited(fish, r'"action":\[\d,\d\]', f'"action":{list(other)}', 4)
    with pytest.raises(RecordError, match=r"line ([4-9]|10|11): "):
        read(false).verify()


@pytest.mark.parametrize(
    ("pattern", "by", "field"),
    [
        (r'"ranking":\[\["(.)"\],', r'"ranking":[["bad","\1"],', "ranking"),
        (r'"scores":\{"a":(\d+)', r'"scores":{"a":1\1', "scores"),
        (r'"kicked":\["bad"\]', '"kicked":[]', "kicked"),
        (r'"turns":(\d+)', r'"turns":1\1', "turns"),
        (r'"digest":"....', '"digest":"0000', "digest"),
    ],
)
def test_a_result_that_was_changed_is_found(fish: Path, pattern: str, by: str, field: str) -> None:
    last = len(fish.read_text().splitlines())
    with pytest.raises(RecordError, match=f"line {last}: the result's {field} should be"):
        read(edited(fish, pattern, by, last)).verify()


def test_a_line_that_was_taken_out_is_found(fish: Path) -> None:
    lines = fish.read_text().splitlines(keepends=True)
    for missing in range(1, len(lines) - 1):
        fish.write_text("".join(lines[:missing] + lines[missing + 1 :]))
        with pytest.raises(RecordError, match=r"line \d+: "):
            read(fish).verify()


def test_a_player_who_was_never_asked_cannot_have_been_kicked(fish: Path) -> None:
    lines = fish.read_text().splitlines(keepends=True)
    kick = next(line for line in lines if '"kind":"kicked"' in line)
    number = lines.index(kick)
    lines[number] = re.sub(r'"player":"bad"', '"player":"a"', kick)
    fish.write_text("".join(lines))
    with pytest.raises(RecordError, match=rf"line {number + 1}: .a. is not asked for .movement. here"):
        read(fish).verify()


# Why somebody was kicked

CHEAT = {
    "fish": ("movement", "[[9, 9], [0, 0]]", "[[9,9],[0,0]]"),
    "q": ("take_turn", '[[[0, 0], ["star", "red"]]]', '[[[0,0],["star","red"]]]'),
    "tsuro": ("move", "[view.hand[0], 45]", r"[{},45]"),
}


@pytest.fixture(params=KINDS)
def refused(request: pytest.FixtureRequest, zygotes: Zygotes, tmp_path: Path) -> Path:
    """The record of a game in which a player was kicked for a sound answer that the rules refuse."""
    game: str = request.param
    method, answer, _ = CHEAT[game]
    path = tmp_path / f"{game}.jsonl"
    bad = file(tmp_path, "bad", source(game, f"def {method}(view): return {answer}\n"))
    play(game, [bad, *references(game)], zygotes(game), record=str(path))
    return path


def kick_of(path: Path) -> tuple[int, KickLine]:
    """The number of the line that tells of the kick, and the line."""
    return next((number, line) for number, line in enumerate(read(path).lines, 2) if isinstance(line, KickLine))


def test_an_answer_that_the_rules_refused_is_recorded_and_judged_again(refused: Path) -> None:
    _, kick = kick_of(refused)
    form = CHEAT[refused.stem][2]
    state = next(call.before for call in read(refused).calls() if call.line == kick)
    assert msgspec.json.encode(kick.answer).decode() == form.format(getattr(state, "hand", [0])[0])
    assert state.check(kick.answer) == kick.verdict.detail
    read(refused).verify()


def test_a_kick_for_an_answer_that_the_rules_allow_is_not_true(refused: Path) -> None:
    number, kick = kick_of(refused)
    ask = next(call.ask for call in read(refused).calls() if call.line == kick)
    assert ask is not None
    move = ask.view.legal_moves()[0]
    allowed = msgspec.json.encode(plain_form(read(refused).game)(ask.method, move)).decode()
    false = edited(refused, r'"answer":.*?(?=,"call")', f'"answer":{allowed}', number)
    with pytest.raises(RecordError, match=rf'line {number}: "bad" was kicked for .*, which the rules allow'):
        read(false).verify()


@pytest.mark.parametrize(
    ("pattern", "by", "why"),
    [
        (r'"detail":"', '"detail":"it insulted the referee; ', r"is refused because .*, not because \"it insulted"),
        (r'"answer":.*?(?=,"call")', '"answer":"\\u001b[2J"', r"could not have been judged"),
        (r'"ending":"illegal-move"', '"ending":"exception"', r"no move was refused here"),
    ],
)
def test_a_kick_that_was_changed_is_found(refused: Path, pattern: str, by: str, why: str) -> None:
    number, _ = kick_of(refused)
    with pytest.raises(RecordError, match=rf"line {number}: .*{why}") as found:
        read(edited(refused, pattern, by.replace("\\", "\\\\"), number)).verify()
    assert str(found.value).isprintable()


def test_a_kick_without_its_answer_is_still_read(refused: Path) -> None:
    number, _ = kick_of(refused)
    old = read(edited(refused, r'"answer":.*?,(?="call")', "", number))
    old.verify()
    assert kick_of(refused.with_name("edited.jsonl"))[1].answer is msgspec.UNSET


def test_another_version_may_have_put_it_differently(refused: Path) -> None:
    number, _ = kick_of(refused)
    other = edited(refused, r'"detail":"', '"detail":"so it was said once: ', number)
    with pytest.raises(RecordError):
        read(other).verify()
    read(edited(other, r'"referee":"[^"]*"', '"referee":"0.0.1"', 1)).verify()


def test_an_endless_answer_is_not_recorded(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    many = source("q", 'def take_turn(view): return [[[0, 900000 + n], ["star", "red"]] for n in range(250)]\n')
    play("q", [file(tmp_path, "bad", many), *references("q")], zygotes("q"), record=str(path))
    assert kick_of(path)[1].answer is msgspec.UNSET
    read(path).verify()


# What is no record, or not all of one


def test_any_beginning_of_a_record_is_readable(fish: Path) -> None:
    whole = fish.read_bytes()
    header = len(whole.split(b"\n")[0]) + 1
    for length in (*range(header, len(whole), 97), len(whole) - 1):
        fish.write_bytes(whole[:length])
        record = read(fish)
        record.verify()
        assert record.result is None
        assert len(record.lines) == whole[:length].count(b"\n") - 1
        assert list(record.events())[-1].state.turn == record.turns


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not begin with a header"),
        ("no record", "does not begin with a header"),
        ("no record\n", "line 1: not a line of a record"),
        ("[" * 100_000 + "\n", "line 1: not a line of a record"),
        ("\udcff\n", "line 1: not a line of a record"),
        ('{"kind":"result","ranking":[],"scores":{},"kicked":[],"turns":0,"usage":{},"digest":""}\n', "header"),
    ],
)
def test_what_is_no_record_is_refused_with_a_sentence(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(RecordError, match=why):
        read(path)


def test_a_missing_record_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        read(tmp_path / "none.jsonl")


def test_two_games_are_not_one_record(fish: Path) -> None:
    fish.write_bytes(fish.read_bytes() * 2)
    with pytest.raises(RecordError, match="more than one game"):
        read(fish)


def test_a_record_of_a_later_format_is_refused(fish: Path) -> None:
    with pytest.raises(RecordError, match="is of format 2; this referee knows up to 1"):
        read(edited(fish, '"format":1', '"format":2', 1))


@pytest.mark.parametrize(
    ("pattern", "by"),
    [
        (r'"game":"fish"', '"game":"chess"'),
        (r'"rows":5', '"rows":0'),
        (r'"rows":5', '"rows":"five"'),
        (r'"name":"bad"', '"nom":"bad"'),
        (r'"name":"bad"', '"name":"a"'),
        (r'"name":"bad"', '"name":{}'),
        (r'"given":"greedy"', '"given":7'),
        (r'"parameters":\{\}', '"parameters":"none"'),
    ],
)
def test_a_header_no_game_can_begin_with_is_refused(fish: Path, pattern: str, by: str) -> None:
    with pytest.raises(RecordError, match="line 1: no game begins like this"):
        read(edited(fish, pattern, by, 1)).final()
