"""A record cut down to one player's questions: they can be asked again, and nothing else is in there."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from referee import questions
from referee.cli import main
from referee.games import q
from referee.match import derived
from referee.record import RecordError, read
from referee.recorder import encode
from referee.reproduce import case_of
from tests.referee.conftest import Zygotes
from tests.referee.table import KINDS, play, references, source
from tests.referee.test_reproduce import FAILS, as_json, played, reproduce

Entries = list[dict[str, Any]]


def cut(record: Path, player: str = "bad") -> Path:
    path = record.with_name("questions.jsonl")
    path.write_text(questions.cut(read(record), player))
    return path


@pytest.mark.parametrize("case", FAILS)
def test_a_kick_is_reproduced_as_from_the_whole_record(case: str, zygotes: Zygotes, tmp_path: Path) -> None:
    game, text = FAILS[case]
    record = played(zygotes, tmp_path, game, source(game, text))
    bad, asked = tmp_path / "bad.py", cut(record)
    told, whole = as_json(asked, bad), as_json(record, bad)
    assert told["fails"] is told["reproduced"] is told["same_file"] is True
    assert list(told) == list(whole)
    for key in ("failure", "recorded", "asked", "different", "player", "output"):
        assert told[key] == whole[key], key
    assert told["failure"] == told["recorded"]
    assert told["state"] is None, "the whole of it is not in there"
    assert reproduce(asked, bad).stdout == reproduce(record, bad).stdout
    assert reproduce(asked, bad).exit_code == 1


WRONG = {
    "fish": "def movement(view): return [[0, 0], [0, 0]]\n",
    "q": "def take_turn(view): return [] if view.turn > 3 else 'pass'\n",
    "tsuro": "def move(view): return 'north'\n",
}


@pytest.mark.parametrize("game", WRONG)
def test_an_answer_is_judged_by_the_view_as_it_was_by_the_state(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    record = played(zygotes, tmp_path, game, source(game, WRONG[game]))
    told = as_json(cut(record), tmp_path / "bad.py")
    assert told["failure"] == told["recorded"] == as_json(record, tmp_path / "bad.py")["failure"]
    assert told["failure"]["verdict"] == "illegal-move"
    (tmp_path / "bad.py").write_text(source(game))
    mended = reproduce(cut(record), tmp_path / "bad.py")
    assert mended.exit_code == 0
    assert "It does not fail." in mended.stdout


@pytest.mark.parametrize("game", KINDS)
def test_who_played_to_the_end_answers_the_same(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    play(game, references(game), zygotes(game), record=str(record), seed=4)
    told = as_json(cut(record, "b"), KINDS[game][0])
    assert (told["fails"], told["recorded"], told["different"], told["same_file"]) == (False, None, [], True)
    assert told["asked"] >= sum(line.player == "b" for line in read(record).lines) > 3
    assert reproduce(cut(record, "b"), KINDS[game][0]).exit_code == 0


@pytest.mark.parametrize("game", KINDS)
def test_all_is_as_the_record_has_it(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play(game, references(game), zygotes(game), record=str(path), seed=4)
    record = read(path)
    found, known = questions.read(cut(path, "a")), case_of(record, 0)
    assert found is not None
    for field in ("game", "player", "sha256", "parameters", "seed", "terms", "failure"):
        assert getattr(found, field) == getattr(known, field)
    for again, before in zip(found.questions, known.questions, strict=True):
        assert again.ask == before.ask
        assert (again.turn, again.action, again.verdict) == (before.turn, before.action, before.verdict)
        assert again.table.text() == before.table.text()


# Nothing else is in there


def numbers(value: Any) -> set[int]:
    if isinstance(value, dict):
        return set().union(*map(numbers, value.values()))
    if isinstance(value, list):
        return set().union(*map(numbers, value))
    return {value} if isinstance(value, int) else set()


@pytest.mark.parametrize("game", KINDS)
def test_the_seed_of_the_match_is_not_in_there(game: str, zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    seed = 0x5EED_5EED_5EED
    play(game, references(game), zygotes(game), record=str(path), seed=seed)
    hidden = {seed, derived(seed, "rules"), *(derived(seed, "player", seat) for seat in (1, 2))}
    assert hidden & numbers(json.loads(path.read_text().splitlines()[0])), "the record itself has it"
    asked = [json.loads(line) for line in cut(path, "a").read_text().splitlines()]
    views = [msgspec.msgpack.decode(base64.b64decode(line["view"])) for line in asked[1:]]
    assert not hidden & (numbers(asked) | numbers(msgspec.to_builtins(views)))


def test_in_q_neither_the_hands_of_rivals_nor_the_pile_are_in_there(zygotes: Zygotes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play("q", references("q"), zygotes("q"), record=str(path), seed=4)
    record = read(path)
    case = questions.read(cut(path, "a"))
    assert case is not None
    moves = [asked for asked in case.questions if asked.ask.method == "take_turn"]
    states = {call.before.turn + 1: call.before for call in record.calls() if call.ask and call.ask.player == "a"}
    assert len(moves) > 3
    for asked in moves:
        state = states[asked.turn]
        assert isinstance(state, q.State)
        view = asked.ask.view
        assert view.hand == state.hands[0]
        assert view.pile == len(state.pile)
        # Both games look alike to `a` if its rival holds other tiles, and the pile lies in another order.
        other = msgspec.structs.replace(
            state, hands=(state.hands[0], state.pile[: len(state.hands[1])]), pile=state.pile[::-1]
        )
        assert other != state
        again = other.ask()
        assert again is not None
        assert (again.view, other.text()) == (view, asked.table.text())


# What somebody made of it


@pytest.fixture
def asked(zygotes: Zygotes, tmp_path: Path) -> Path:
    return cut(played(zygotes, tmp_path, "tsuro", source("tsuro", WRONG["tsuro"])))


def test_a_torn_last_line_is_left_out(asked: Path) -> None:
    asked.write_bytes(asked.read_bytes()[:-20])
    told = as_json(asked, asked.with_name("bad.py"))
    assert (told["fails"], told["recorded"]) == (False, None)


def test_the_questions_of_one_are_not_those_of_another(asked: Path) -> None:
    assert as_json(asked, asked.with_name("bad.py"), "--player", "bad")["reproduced"]
    result = reproduce(asked, asked.with_name("bad.py"), "--player", "a")
    assert result.exit_code == 2
    assert "holds the questions of bad only; leave out --player" in result.output


def _title(**changed: Any) -> Callable[[Entries], Any]:
    return lambda lines: lines[0].update(changed)


def _last(**changed: Any) -> Callable[[Entries], Any]:
    return lambda lines: lines[-1].update(changed)


def _view(**changed: Any) -> Callable[[Entries], Any]:
    def change(lines: Entries) -> None:
        view = msgspec.msgpack.decode(base64.b64decode(lines[-1]["view"]))
        lines[-1]["view"] = base64.b64encode(msgspec.msgpack.encode(view | changed)).decode()

    return change


FORGED: dict[str, tuple[Callable[[Entries], Any], str]] = {
    "newer": (_title(format=99, terms="other"), "is of format 99; this referee knows questions up to 1"),
    "game": (_title(game="chess"), "line 1: no questions begin like this: there is no game 'chess'"),
    "title": (_title(terms=7), "line 1: no questions begin like this"),
    "limits": (_title(terms={"move": {"cpu": 1e300}}), "line 1: no questions begin like this: a budget's cpu must be"),
    "seed": (_title(seed=-1), "line 1: no questions begin like this: its seed is none of a player's"),
    "parameters": (_title(parameters={"x": 2**80}), "line 1: the parameter x of bad is no plain data"),
    "allowed": (_title(terms={"allow": ["players"]}), "--allow players"),
    "base64": (_last(view="?"), "line 4: this is no question: Invalid base64"),
    "no view": (_last(view=base64.b64encode(b"\xc1").decode()), "line 4: this is no question"),
    "other view": (_view(position=None), "line 4: this is no question: Expected `object`"),
    "impossible view": (_view(players=[], hand=[]), "line 4: the rules can make nothing of this question"),
    "method": (_last(method="take_turn"), "line 4: this is no question: nobody is asked for 'take_turn' in tsuro"),
    "long method": (_last(method="x" * 2**20), "line 4: this is no question: nobody is asked for 'xxx"),
    "long view": (_view(me="x" * 2**21), "line 4: this is no question: its view has"),
    "other line": (lambda lines: lines.append({"kind": "moved"}), "line 5: this is no question: Invalid value 'moved'"),
    "deep": (_last(action="DEEP"), "line 4: this is no question"),
}


@pytest.mark.parametrize("case", FORGED)
def test_what_was_forged_gets_a_sentence(case: str, asked: Path) -> None:
    forge, sentence = FORGED[case]
    lines = [json.loads(line) for line in asked.read_text().splitlines()]
    forge(lines)
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    asked.write_text(text.replace('"DEEP"', "[" * 10**5 + "]" * 10**5))
    # Whoever answers, gets as far as being judged by what was forged.
    asked.with_name("bad.py").write_text(source("tsuro", "def move(view): return [0, 0]\n"))
    result = reproduce(asked, asked.with_name("bad.py"))
    assert result.exit_code == 2, result.output
    assert str(asked) in result.output or case == "allowed"
    assert sentence in result.output
    assert len(result.output) < 1000
    assert "Traceback" not in result.output


def test_what_it_says_cannot_command_the_terminal(asked: Path) -> None:
    lines = [json.loads(line) for line in asked.read_text().splitlines()]
    evil = "\x1b[2J\u202e"
    lines[0]["player"] = evil
    lines[-1]["drawn"] = f"{evil}\n" * 3 + "x" * 10**6
    lines[-1]["verdict"] |= {"detail": evil, "method": evil, "file": evil, "line": 3}
    asked.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    shown = CliRunner().invoke(main, ["reproduce", str(asked), str(asked.with_name("bad.py"))], color=True).stdout
    assert "It fails in move" in shown
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert len(shown) < 200_000


def test_a_record_is_no_file_of_questions(zygotes: Zygotes, tmp_path: Path) -> None:
    record = played(zygotes, tmp_path, "fish", source("fish"))
    assert questions.read(record) is None
    assert questions.read(tmp_path / "missing.jsonl") is None
    with pytest.raises(RecordError, match="line 1: not a line of a record"):
        read(cut(record))


def test_a_game_that_broke_off_leaves_its_last_question(zygotes: Zygotes, tmp_path: Path) -> None:
    record = played(zygotes, tmp_path, "fish", source("fish", "def movement(view): return None\n"))
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:11]))  # ten turns, and the eleventh is open
    told = as_json(cut(record), tmp_path / "bad.py")
    assert (told["recorded"], told["failure"]["turn"]) == (None, 11)


def test_the_lines_are_sorted_so_that_equal_questions_are_equal_bytes(asked: Path) -> None:
    for line in asked.read_bytes().splitlines():
        assert encode(msgspec.json.decode(line)) == line
