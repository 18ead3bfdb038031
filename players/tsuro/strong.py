"""Plays every legal tile to the end of many imagined games and takes the one it outlived the others with."""

import random

from referee.games import tsuro

KINDS = range(35)


class Strategy:
    def __init__(self, nodes: int = 4000, rounds: int = 8) -> None:
        self.nodes = nodes  # moves to imagine in all, so that games repeat on any machine
        self.rounds = rounds  # how far to imagine
        self.random = random.Random(0)

    def initial_placement(self, view: tsuro.View) -> tsuro.Placement:
        """As far from the others as can be, looking away from the edge."""
        position = view.position
        others = [avatar.square for seat in position.alive if (avatar := position.avatar(seat))]
        best = max(
            view.free_squares(),
            key=lambda square: min([distance(square, other) for other in others], default=0),
        )
        port = max(view.inward_ports(best), key=lambda port: room(view, best, port))
        return tsuro.Placement(tsuro.Tile(view.hand[0], 0), best, port)

    def move(self, view: tsuro.View) -> tsuro.Tile:
        options = tsuro.legal_options(view.options())
        if not options:
            return tsuro.Tile(view.hand[0], 0)
        # Turned alike or not, what counts is where everybody stands and which paths there are.
        nodes = self.nodes
        value = [0.0] * len(options)
        games = 0
        while nodes > 0 and len(options) > 1:
            seed = self.random.random()
            for number, option in enumerate(options):
                got, used = self.imagine(view.position.after(option), view.seat, random.Random(seed))
                value[number] += got
                nodes -= used
            games += 1
        return options[value.index(max(value))].tile

    def imagine(self, position: tsuro.Position, me: int, chance: random.Random) -> tuple[float, int]:
        """How an imagined game ends for me, from 0 to 1, and how many moves it took."""
        used = 1
        seats = len(position.avatars)
        seat = me
        for round in range(self.rounds):
            for _ in range(seats):
                seat = (seat + 1) % seats
                if position.avatars[seat] < 0:
                    continue
                if position.avatars[me] < 0:
                    return round / self.rounds / 4, used
                used += 1
                position = self.step(position, seat, chance)
            if position.avatars[me] < 0:
                return round / self.rounds / 4, used
            if len(position.alive) == 1:
                return 1.0, used
        return 1 - len(position.alive) / seats / 2, used

    def step(self, position: tsuro.Position, seat: int, chance: random.Random) -> tsuro.Position:
        for _ in range(2):
            options = position.options(seat, (chance.randrange(35),))
            safe = [option for option in options if not option.loopers and option.avatars[seat] >= 0]
            if safe:
                return position.after(safe[int(chance.random() * len(safe))])
        return position.after(options[int(chance.random() * 4)])


def distance(one: tsuro.Square, other: tsuro.Square) -> int:
    return abs(one.x - other.x) + abs(one.y - other.y)


def room(view: tsuro.View, square: tsuro.Square, port: str) -> int:
    """How many squares lie straight ahead."""
    position = view.position
    ahead = {
        "A": square.y,
        "C": position.width - 1 - square.x,
        "E": position.height - 1 - square.y,
        "G": square.x,
    }
    return ahead[{"B": "A", "D": "C", "F": "E", "H": "G"}.get(port, port)]
