"""Cannot be made without an argument."""


class Strategy:
    def __init__(self, depth):
        self.depth = depth

    def take_turn(self, view):
        return None
