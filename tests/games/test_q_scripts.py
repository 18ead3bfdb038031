"""The scripted players of the Q harnesses do what their scripts say, and are files that could run in a box."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games import q
from tests.conformance import q_players
from tests.games.q_positions import table

KINDS = ("non-adjacent-coordinate", "tile-not-owned", "bad-ask-for-tiles", "no-fit", "not-a-line")


def answer(state: q.State, *script: Any) -> Any:
    ask = state.ask()
    assert ask is not None
    strategy: Any = q_players.in_process(q_players.source("dag", *script))
    return strategy.take_turn(ask.view)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cheat_is_illegal_where_it_can_cheat(kind: str) -> None:
    state = table(["r# r% b% g*", "o*"])
    assert state.check(answer(state, "a cheat", kind)) is not None


@pytest.mark.parametrize(
    ("kind", "hand", "pile"),
    [
        ("bad-ask-for-tiles", "r# r%", "y* y*"),
        ("no-fit", "r# r%", ""),
        ("not-a-line", "r#", ""),
        ("not-a-line", "r# b%", ""),
        ("tile-not-owned", " ".join(f"{color}{shape}" for color in "rgbyop" for shape in "*8#o%^"), ""),
    ],
)
def test_a_cheat_that_cannot_is_honest(kind: str, hand: str, pile: str) -> None:
    state = table([hand, "o*"], pile=pile)
    assert answer(state, "a cheat", kind) == answer(state)


def test_a_line_can_be_left_round_a_corner() -> None:
    # No two of these leave the line; the third goes round the corner.
    state = table(["r# b# bo", "o*"], drawing="r*")
    placement = answer(state, "a cheat", "not-a-line")
    why = state.check(placement)
    assert why is not None
    assert why.startswith("the tiles of one turn must all lie in one row or all in one column, not on (")


def test_a_loop_is_entered_in_its_call_and_no_other() -> None:
    text = q_players.source("dag", "take-turn", 2, endless="raise TimeoutError")
    strategy: Any = q_players.in_process(text)
    ask = table(["r# b%", "o*"]).ask()
    assert ask is not None
    assert strategy.take_turn(ask.view)
    with pytest.raises(TimeoutError):
        strategy.take_turn(ask.view)


def test_a_player_with_no_such_script_is_refused() -> None:
    with pytest.raises(ValueError, match="no player is scripted"):
        q_players.source("dag", 1, 2, 3)


def test_the_sources_import_nothing_but_the_game() -> None:
    for script in ((), ("setup",), ("win", 1), *(("a cheat", kind) for kind in KINDS)):
        text = q_players.source("ldasg", *script)
        imports = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
        assert imports == ["from __future__ import annotations", "from referee.games import q"]
