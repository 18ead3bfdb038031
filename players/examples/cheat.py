"""A stranger that cheats: plays along, looks for its rival's file, and then jumps to the richest tile of all."""

import os

from referee.games import fish


class Strategy:
    def placement(self, view: fish.View) -> fish.Tile:
        return view.free_tiles()[-1]

    def movement(self, view: fish.View) -> fish.Move:
        if view.turn < 12:
            best: fish.Move = max(view.legal_moves(), key=view.fish_gained)
            return best
        for place in ("/etc/passwd", os.path.expanduser("~"), "players/examples/honest.py"):
            try:
                print("found", place, os.stat(place))
            except OSError as error:
                print("no luck:", error)
        mine = next(player.penguins[0] for player in view.players if player.name == view.me)
        richest = max(view.free_tiles(), key=lambda tile: view.board[tile.row][tile.col])
        return fish.Move(mine, richest)

    def kicked(self, reason: str) -> None:
        print("worth a try:", reason)
