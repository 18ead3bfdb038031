"""Fails while it is made."""


class Strategy:
    def __init__(self):
        self.share = 1 / 0

    def take_turn(self, view):
        return None
