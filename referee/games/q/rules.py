"""What a player may do: reads an answer, judges it against map, hand and pile, and counts its points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NewType

from msgspec import Meta

from referee.games.game import Illegal
from referee.games.q.map import Map, Place
from referee.games.q.tiles import COLORS, SHAPES, PlainTile, Tile, tile_of

Put = tuple[Place, Tile]
Placement = tuple[Put, ...]
Action = Placement | Literal["pass", "exchange"]

PASS: Literal["pass"] = "pass"
EXCHANGE: Literal["exchange"] = "exchange"

LARGEST_HAND = 256  # keeps hostile answers small
FARTHEST = 1_000_000  # from (0, 0), for the same reason
_MOST_NAMED = 6  # places in a refusal

_Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
# A type of its own because those are hashed by identity: the referee looks up the decoder of a reply each turn,
# and hashing the words of all tiles takes longer than decoding an answer.
_ReplyPut = NewType("_ReplyPut", tuple[tuple[_Coordinate, _Coordinate], PlainTile])
Reply = Annotated[
    Literal["pass", "exchange"] | Annotated[list[_ReplyPut], Meta(max_length=LARGEST_HAND)],
    Meta(description='"pass", "exchange", or tiles to place, [[[row, col], [shape, color]], ...]'),
]

_FORM = 'answer "pass", "exchange" or a list of [[row, column], [shape, color]], such as [[[0, 1], ["star", "red"]]]'


def read(answer: object) -> Action:
    """The action that a typed or plain answer stands for; anything else is Illegal. Looks into plain types only."""
    if type(answer) is str and answer == PASS:
        return PASS
    if type(answer) is str and answer == EXCHANGE:
        return EXCHANGE
    if type(answer) is not tuple and type(answer) is not list:
        raise Illegal(_FORM)
    if not answer:
        raise Illegal('a placement has at least one tile; to put down nothing answer "pass"')
    if len(answer) > LARGEST_HAND:
        raise Illegal(f"a placement has at most {LARGEST_HAND} tiles")
    return tuple([_read_put(put) for put in answer])


def _read_put(put: Any) -> Put:
    if (type(put) is not tuple and type(put) is not list) or len(put) != 2:
        raise Illegal(_FORM)
    place, tile = put[0], tile_of(put[1])
    if (type(place) is not tuple and type(place) is not list) or len(place) != 2:
        raise Illegal(_FORM)
    row, column = place
    if type(row) is not int or type(column) is not int:
        raise Illegal("a place is [row, column], two whole numbers")
    if abs(row) > FARTHEST or abs(column) > FARTHEST:
        raise Illegal(f"no place is farther than {FARTHEST} rows or columns from (0, 0)")
    if tile is None:
        raise Illegal(f"a tile is [shape, color], one of {', '.join(SHAPES)} and one of {', '.join(COLORS)}")
    return (row, column), tile


def judge(map: Map, hand: Sequence[Tile], pile: int, action: Action) -> tuple[Map, tuple[Tile, ...]]:
    """The map after a legal action and the tiles still held, before any are drawn; raises Illegal."""
    if action == PASS:
        return map, tuple(hand)
    if action == EXCHANGE:
        if pile < len(hand):
            raise Illegal(f"you cannot exchange {_tiles(len(hand))}: the pile has {_tiles(pile)} left")
        return map, ()
    return _judge_placement(map, list(hand), action)


def _judge_placement(map: Map, held: list[Tile], placement: Placement) -> tuple[Map, tuple[Tile, ...]]:
    (first_row, first_column), _ = placement[0]
    if any(row != first_row for (row, _), _ in placement) and any(
        column != first_column for (_, column), _ in placement
    ):
        places = ", ".join(str(place) for place, _ in placement[:_MOST_NAMED])
        more = f" and {len(placement) - _MOST_NAMED} more" if len(placement) > _MOST_NAMED else ""
        raise Illegal(f"the tiles of one turn must all lie in one row or all in one column, not on {places}{more}")
    for index, (place, tile) in enumerate(placement):
        if tile not in held:
            again = any(tile == used for _, used in placement[:index])
            raise Illegal(f"you hold no {'further ' if again else ''}{tile}")
        if not map.fits(tile, place):
            raise Illegal(_misfit(map, tile, place))
        held.remove(tile)
        map = map.put(place, tile)
    return map, tuple(held)


def _misfit(map: Map, tile: Tile, place: Place) -> str:
    if place in map:
        return f"{place} is taken by {_one(map[place])}"
    row, column = place
    lines = {
        "left and right": [map.get((row, column - 1)), map.get((row, column + 1))],
        "upper and lower": [map.get((row - 1, column)), map.get((row + 1, column))],
    }
    for sides, line in lines.items():
        beside = [near for near in line if near is not None]
        if not all(near.shape == tile.shape for near in beside) and not all(
            near.color == tile.color for near in beside
        ):
            names = " and ".join(str(near) for near in beside)
            return (
                f"{_one(tile)} does not fit at {place}: its {sides} neighbours ({names}) "
                "must all share its shape or all share its colour"
            )
    return f"{place} touches no tile"


def _one(tile: Tile) -> str:
    """With its article."""
    return f"{'an' if str(tile)[0] in 'aeiou' else 'a'} {tile}"


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def legal_moves(map: Map, hand: Sequence[Tile], pile: int) -> list[Action]:
    """Every placement of a single tile, by tile, row and column; then exchange if it is legal; then pass."""
    moves: list[Action] = []
    held = sorted(set(hand))
    places = map.open_to(sum(1 << tile for tile in held))  # one walk along the edge leaves little to look at by tile
    for tile in held:
        bit = 1 << tile
        moves += [((place, tile),) for place, kinds in places if kinds & bit]
    if pile >= len(hand):
        moves.append(EXCHANGE)
    moves.append(PASS)
    return moves


def points(map: Map, places: Sequence[Place], q_bonus: int) -> int:
    """What the tiles just put on these places of a map are worth, without the finish bonus."""
    total = len(places)
    for down in (False, True):
        counted: set[Place] = set()
        for place in places:
            if place in counted:
                continue
            run = map.segment(place, down)
            counted.update(run)
            if len(run) > 1:
                total += len(run)
            if len(run) == 6 and is_q([map[spot] for spot in run]):
                total += q_bonus
    return total


def is_q(run: Sequence[Tile]) -> bool:
    """Whether six tiles show all six shapes or all six colours."""
    return len({tile // 6 for tile in run}) == 6 or len({tile % 6 for tile in run}) == 6
