"""Has a class without the method that is asked for."""


class Strategy:
    def take_a_turn(self, view):
        return None
