"""Places its whole hand as soon as that wins, never when it loses; until then it takes the most points."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from referee.games import q

Line = dict[int, int]  # the places of one row or column where something fits, and which kinds, as a set of bits

NO_TILE = len(q.KINDS)
EVERY_KIND = (1 << len(q.KINDS)) - 1
SAME_SHAPE = [sum(1 << k for k in q.KINDS if k.shape == tile.shape) for tile in q.KINDS] + [EVERY_KIND]
SAME_COLOR = [sum(1 << k for k in q.KINDS if k.color == tile.color) for tile in q.KINDS] + [EVERY_KIND]
BETWEEN = [
    [SAME_SHAPE[one] & SAME_SHAPE[two] | SAME_COLOR[one] & SAME_COLOR[two] for two in range(NO_TILE + 1)]
    for one in range(NO_TILE + 1)
]


class Strategy:
    def __init__(self, nodes: int = 2000) -> None:
        self.nodes = nodes  # placements looked at in a turn

    def take_turn(self, view: q.View) -> q.Action:
        to_beat = max((view.scores[rival] for rival in view.rivals), default=-1)
        if self.nobody_placed(view) and view.score > to_beat:
            return q.PASS
        best: q.Action = q.EXCHANGE if view.pile >= len(view.hand) else q.PASS
        most = 0
        for points, placement in Search(view).placements(self.nodes):
            if len(placement) == len(view.hand):
                if view.score + points > to_beat:
                    return placement
            elif points > most:
                best, most = placement, points
        return best

    def nobody_placed(self, view: q.View) -> bool:
        """Whether I am the last of a round in which nobody has placed a tile: passing would end the game."""
        later = view.players[view.players.index(view.me) + 1 :]
        return all(player in view.kicked for player in later) and all(
            isinstance(entry.action, str) for entry in view.news
        )


class Node(NamedTuple):
    """A placement in one line, and how it can go on."""

    down: bool  # along a column; else along a row
    line: int  # which one
    placed: dict[int, q.Tile]  # by the place in the line, in the order of placing
    open: Line
    hand: tuple[q.Tile, ...]  # what is left of it, sorted
    crossing: int  # points for the segments across the line

    def place(self, at: int) -> q.Place:
        return (at, self.line) if self.down else (self.line, at)


class Search:
    """All placements, line by line, those with most points grown first."""

    def __init__(self, view: q.View) -> None:
        self.view = view
        self.tiles = view.map.tiles

    def placements(self, nodes: int) -> Iterator[tuple[int, q.Placement]]:
        """What a placement scores, and the placement; of so many at most."""
        # Every line is begun before any placement is grown.
        heap = [(-inf, number, node) for number, node in enumerate(self.lines())]
        count = len(heap)
        seen: set[tuple[bool, int, frozenset[tuple[int, q.Tile]]]] = set()
        while heap and len(seen) < nodes:
            _, _, node = heapq.heappop(heap)
            for longer in self.one_more(node):
                key = (node.down, node.line, frozenset(longer.placed.items()))
                if key in seen:
                    continue
                seen.add(key)
                count += 1
                points = self.points(longer)
                yield points, tuple((longer.place(at), tile) for at, tile in longer.placed.items())
                if longer.hand:
                    heapq.heappush(heap, (-points, count, longer))

    def lines(self) -> list[Node]:
        """Every row and column where a tile of the hand fits."""
        hand = tuple(sorted(self.view.hand))
        found: dict[tuple[bool, int], Line] = {}
        for row, column in self.tiles:
            for place in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
                if place not in self.tiles:
                    kinds = self.along(place, True) & self.along(place, False)
                    found.setdefault((True, place[1]), {})[place[0]] = kinds
                    found.setdefault((False, place[0]), {})[place[1]] = kinds
        return [Node(down, line, {}, places, hand, 0) for (down, line), places in found.items()]

    def along(self, place: q.Place, down: bool) -> int:
        """The kinds that fit between the neighbours of a place in its column (`down`) or in its row."""
        row, column = place
        one, two = ((row - 1, column), (row + 1, column)) if down else ((row, column - 1), (row, column + 1))
        return BETWEEN[self.tiles.get(one, NO_TILE)][self.tiles.get(two, NO_TILE)]

    def one_more(self, node: Node) -> Iterator[Node]:
        for index, tile in enumerate(node.hand):
            if index and node.hand[index - 1] == tile:
                continue
            rest = node.hand[:index] + node.hand[index + 1 :]
            for at, kinds in node.open.items():
                if kinds >> tile & 1:
                    placed = node.placed | {at: tile}
                    crossing = node.crossing + self.across(node.place(at), tile, not node.down)
                    yield Node(node.down, node.line, placed, self.opened(node, placed, at), rest, crossing)

    def opened(self, node: Node, placed: dict[int, q.Tile], at: int) -> Line:
        """Where something fits once there is a tile at a place, too."""
        places = {other: kinds for other, kinds in node.open.items() if other != at}
        for near in (at - 1, at + 1):
            if self.tile(node, placed, near) == NO_TILE:
                one, two = self.tile(node, placed, near - 1), self.tile(node, placed, near + 1)
                places[near] = BETWEEN[one][two] & self.along(node.place(near), not node.down)
        return places

    def tile(self, node: Node, placed: dict[int, q.Tile], at: int) -> int:
        return placed[at] if at in placed else self.tiles.get(node.place(at), NO_TILE)

    def across(self, place: q.Place, tile: q.Tile, down: bool) -> int:
        """The points of the segment that a tile would make across the line."""
        step_row, step_column = (1, 0) if down else (0, 1)
        run = [tile]
        for sign in (-1, 1):
            row, column = place
            while (near := self.tiles.get((row + sign * step_row, column + sign * step_column))) is not None:
                run.append(near)
                row, column = row + sign * step_row, column + sign * step_column
        return self.worth(run)

    def points(self, node: Node) -> int:
        total = len(node.placed) + node.crossing + (0 if node.hand else self.view.finish_bonus)
        counted: set[int] = set()
        for start in node.placed:
            if start in counted:
                continue
            while self.tile(node, node.placed, start - 1) != NO_TILE:
                start -= 1
            run = []
            while (tile := self.tile(node, node.placed, start)) != NO_TILE:
                run.append(q.KINDS[tile])
                counted.add(start)
                start += 1
            total += self.worth(run)
        return total

    def worth(self, run: list[q.Tile]) -> int:
        if len(run) == 1:
            return 0
        return len(run) + (self.view.q_bonus if len(run) == 6 and q.is_q(run) else 0)
