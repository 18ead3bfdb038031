"""The harnesses of Fish."""

from __future__ import annotations

from typing import Any

from players.fish import minimax
from referee.games.fish import Config, Move, Player, Position, Tile, View, course, game, neighbours
from tests.conformance import Harness
from tests.conformance.table import refereed


def xboard(given: list[Any]) -> list[Any]:
    """How many tiles can be reached in one move from a place, with nobody else on the board."""
    board, place = given[0]["board"], given[0]["position"]
    alone = {"players": [{"color": "red", "score": 0, "places": [place]}], "board": board}
    return [len(course.position(alone).legal_moves())]


def xstate(given: list[Any]) -> list[Any]:
    """The first player's first penguin takes the first step it can."""
    if not given[0]["players"] or not given[0]["players"][0]["places"]:
        return [False]
    before = course.position(given[0])
    penguin = before.penguins_of(before.names[0])[0]
    for step in neighbours(*penguin):
        if before.check((penguin, step)) is None:
            return [course.state(before.after((penguin, step)), first=1)]
    return [False]


def xtree(given: list[Any]) -> list[Any]:
    """After a move, the first way in which the next player can come next to where it went."""
    start, end = (Tile(*given[0][key]) for key in ("from", "to"))
    after = course.position(given[0]["state"]).after(Move(start, end))
    theirs = course.position(course.state(after, first=1)).legal_moves()
    for beside in neighbours(*end):
        ways = sorted(move for move in theirs if move.end == beside)
        if ways:
            return [ways[0]]
    return [False]


def xstrategy(given: list[Any]) -> list[Any]:
    """What minimax does."""
    depth, state = given[0]
    position = course.position(state)
    return [minimax.Strategy(depth).movement(view(position)) or False]


def xref(given: list[Any]) -> list[Any]:
    """Who wins a whole game of minimax players on a board with the same fish everywhere."""
    setting = given[0]
    board = ((setting["fish"],) * setting["column"],) * setting["row"]
    depths = dict(setting["players"])
    end = refereed(
        game,
        game.setup(list(depths), Config(board=board)),
        {name: minimax.Strategy(depth) for name, depth in depths.items()},
    )
    return [sorted(end.ranking()[0])]


def view(position: Position) -> View:
    """A position seen by the player to move, with no past."""
    players = tuple(
        Player(name, name, position.points[seat], position.penguins_of(name), 0, False)
        for seat, name in enumerate(position.names)
    )
    me = position.names[position.seat]
    return View(position.phase, 0, me, players, position.board, (), (), {}, me)


HARNESSES: dict[str, Harness] = {
    "xboard": xboard,
    "xstate": xstate,
    "xtree": xtree,
    "xstrategy": xstrategy,
    "xref": xref,
}
