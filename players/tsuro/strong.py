"""Imagines a few rounds after each legal tile, many times over, and keeps to where there is room to go on."""

import random

from referee.games import tsuro
from referee.games.tsuro import legal_options as legal

FALLEN, ALONE = -20.0, 20.0  # the worth of a position without me, and of one without the others


class Strategy:
    def __init__(self, nodes: int = 1500, rounds: int = 2) -> None:
        self.nodes = nodes  # positions to look at in a turn: bounded by a count, so that games repeat
        self.rounds = rounds  # how far to imagine
        self.random = random.Random(0)

    def initial_placement(self, view: tsuro.View) -> tsuro.Placement:
        """As far from the others as can be, with the most squares straight ahead."""
        board = view.position
        others = [avatar.square for seat in board.alive if (avatar := board.avatar(seat))]
        square = max(view.free_squares(), key=lambda free: min([distance(free, other) for other in others], default=0))
        port = max(view.inward_ports(square), key=lambda port: room_ahead(board, square, port))
        return tsuro.Placement(tsuro.Tile(view.hand[0], 0), square, port)

    def move(self, view: tsuro.View) -> tsuro.Tile:
        # Some tiles look alike when turned; one of each look will do.
        after = {tsuro.least_turned(option.tile): view.position.after(option) for option in legal(view.options())}
        if not after:
            return tsuro.Tile(view.hand[0], 0)  # there is nothing to lose
        worth = dict.fromkeys(after, 0.0)
        # Half of the candidates are dropped again and again, so that the best get the closest look.
        halvings = (len(worth) - 1).bit_length()
        while len(worth) > 1:
            nodes = self.nodes // halvings
            while nodes > 0:
                luck = self.random.random()  # the same for all, to compare like with like
                for tile in worth:
                    value, looked_at = self.imagine(after[tile], view.seat, random.Random(luck))
                    worth[tile] += value
                    nodes -= looked_at
            best_first = sorted(worth, key=worth.__getitem__, reverse=True)
            worth = {tile: worth[tile] for tile in best_first[: (len(worth) + 1) // 2]}
        return next(iter(worth))

    def imagine(self, position: tsuro.Position, me: int, luck: random.Random) -> tuple[float, int]:
        """How good a position turns out after some rounds, and at how many others it took a look."""
        seats = len(position.avatars)
        looked_at = 1
        for round in range(self.rounds):
            for seat in [*range(me + 1, seats), *range(me), me]:
                if position.avatars[seat] == tsuro.OFF:
                    continue
                if seat == me:
                    choices = my_choices(position, me, luck)
                    looked_at += len(choices)
                    if not choices:
                        return FALLEN, looked_at
                    position = max(choices, key=lambda choice: value_of(choice, me))
                else:
                    position = rivals_choice(position, seat, luck)
                    looked_at += 1
            if position.avatars[me] == tsuro.OFF:
                return FALLEN + round, looked_at
            if len(position.alive) == 1:
                return ALONE, looked_at
        return value_of(position, me), looked_at


def my_choices(position: tsuro.Position, me: int, luck: random.Random) -> list[tsuro.Position]:
    """All I could do with two tiles that I may be given."""
    options = legal(position.options(me, (luck.randrange(35), luck.randrange(35))))
    by_result = {option.avatars: option for option in options}
    return [position.after(option) for option in by_result.values()]


def rivals_choice(position: tsuro.Position, seat: int, luck: random.Random) -> tsuro.Position:
    """Any tile that does not kill it, from two that it may be given."""
    for _ in range(2):
        options = position.options(seat, (luck.randrange(35),))
        safe = [option for option in options if not option.loopers and option.avatars[seat] != tsuro.OFF]
        if safe:
            return position.after(luck.choice(safe))
    return position.after(luck.choice(options))


def value_of(position: tsuro.Position, me: int) -> float:
    """Ways on from here, squares that are mine, and rivals gone."""
    if position.avatars[me] == tsuro.OFF:
        return FALLEN
    return position.ways_on(me) + 0.3 * territory(position, me) - 5 * len(position.alive)


def territory(position: tsuro.Position, me: int) -> float:
    """How many empty squares are nearer to me than to anybody else, those in between counted half."""
    grid = tsuro.grid(position.width, position.height)
    tiles = position.tiles
    owner: dict[int, int | None] = {}
    for seat in position.alive:
        ahead = grid.across[position.avatars[seat]] >> 3
        owner[ahead] = None if ahead in owner else seat
    front = dict(owner)
    while front:
        reached: dict[int, int | None] = {}
        for square, whose in front.items():
            for other in grid.neighbours[square]:
                if tiles[other] == tsuro.EMPTY and other not in owner:
                    reached[other] = whose if reached.get(other, whose) == whose else None
        owner.update(reached)
        front = reached
    owners = list(owner.values())
    return owners.count(me) + owners.count(None) / 2


def distance(one: tsuro.Square, other: tsuro.Square) -> int:
    return abs(one.x - other.x) + abs(one.y - other.y)


def room_ahead(board: tsuro.Position, square: tsuro.Square, port: str) -> int:
    north, west = square.y, square.x
    south, east = board.height - 1 - square.y, board.width - 1 - square.x
    return dict(zip("ABCDEFGH", (north, north, east, east, south, south, west, west), strict=True))[port]
