"""Small positions of Q written short, and random ones to try everything on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st

from referee.games import q
from referee.games.q.map import Map
from referee.games.q.state import State

_COLORS = {color[0]: color for color in q.COLORS}
_SHAPES = dict(zip("*8#o%^", q.SHAPES, strict=True))


def tile(code: str) -> q.Tile:
    """`r*` is the red star, `b#` the blue square."""
    return q.Tile.of(_SHAPES[code[1]], _COLORS[code[0]])


def tiles(codes: str) -> tuple[q.Tile, ...]:
    return tuple(tile(code) for code in codes.split())


def at(row: int, column: int, code: str) -> q.Put:
    return (row, column), tile(code)


def chart(drawing: str) -> Map:
    """A map from lines of codes and dots, its first code at (0, 0)."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    return Map(
        {
            (row, column): tile(code)
            for row, codes in enumerate(rows)
            for column, code in enumerate(codes)
            if code != "."
        }
    )


def table(hands: Sequence[str], pile: str = "", drawing: str = "r*", points: Sequence[int] = ()) -> State:
    """Players A, B, ... with these hands, who have all been set up."""
    names = "ABCD"[: len(hands)]
    state = State.start(
        names, q.Config(), chart(drawing), tiles(pile), [tiles(hand) for hand in hands], points or [0] * len(hands)
    )
    return set_up(state)


def set_up(state: State) -> State:
    while (ask := state.ask()) is not None and ask.method == "setup":
        state = state.commit(None)
    return state


def counted(state: State) -> Counter[q.Tile]:
    """Every tile there is, wherever it lies."""
    held = [tile for hand in state.hands for tile in hand]
    return Counter([*state.map.tiles.values(), *state.pile, *held])


def random_action(state: State, rng: random.Random) -> q.Action:
    """Mostly placements, some of several tiles; now and then something else."""
    ask = state.ask()
    assert ask is not None
    view: q.View = ask.view
    moves = view.legal_moves()
    placements = [move for move in moves if not isinstance(move, str)]
    if not placements or rng.random() < 0.1:
        return rng.choice(moves)
    placement = rng.choice(placements)
    for _ in range(rng.randrange(4)):
        now = view.after(placement)
        longer = [placement + move for move in now.legal_moves() if not isinstance(move, str)]
        longer = [each for each in longer if view.check(each) is None and len(each) < len(view.hand)]
        placement = rng.choice(longer) if longer else placement
    return placement


@st.composite
def positions(draw: st.DrawFn, kicks: bool = True) -> State:
    """Some point of a random game, also in the middle of setup, of a draw, or of the end; all sizes of pile."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    players = [f"player {seat}" for seat in range(draw(st.integers(2, 4)))]
    hand_size = draw(st.integers(1, 7))
    pile = [rng.choice(q.KINDS) for _ in range(1 + hand_size * len(players) + draw(st.integers(0, 40)))]
    config = q.Config(hand_size=hand_size, pile=tuple(tile.plain for tile in pile))
    state = q.game.setup(players, config, seed=1)
    for _ in range(draw(st.integers(0, 60))):
        ask = state.ask()
        if ask is None:
            break
        if kicks and rng.random() < 0.04:
            state = state.kick(rng.choice([player for player in players if player not in state.kicked]))
        else:
            state = state.commit(None if ask.reply is None else random_action(state, rng))
    return state
